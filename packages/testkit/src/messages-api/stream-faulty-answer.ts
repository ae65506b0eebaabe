import type { ServerResponse } from 'node:http'
import {
  type Answer,
  errorTypeOf,
  type InputUsage,
  openEventStream,
  pause,
  toBlockDeltas,
  toBlockEvents,
  toBlockStart,
  toEndEvents,
  toStartEvent,
} from '@corrigenda/demo/messages-api'
import type { Fault } from './fault.ts'

interface StreamInput {
  id: string
  model: string
  input: InputUsage
  answer: Answer
  fault: Fault | null
  paceMs: number
  /** Waits while the response is held back and calls `ping` periodically. */
  wait: (ping: () => void) => Promise<void>
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** Result of a stream. The client receives an error event for `error`, but not for `cut`. */
export type StreamEnd = 'complete' | 'error' | 'cut' | 'aborted'

/**
 * Sends a response as server-sent events, including the headers. Stops early if the fault requires
 * it.
 */
export async function streamFaultyAnswer(response: ServerResponse, stream: StreamInput): Promise<StreamEnd> {
  const { answer, fault, input, signal } = stream
  const send = openEventStream(response, signal)
  const ping = () => send({ type: 'ping' })
  send(toStartEvent(stream.id, stream.model, input))
  ping()
  await stream.wait(ping)
  for (const [index, block] of answer.content.entries()) {
    await pause(stream.paceMs, signal)
    if (signal.aborted) return 'aborted'
    if (fault?.kind === 'cut' && fault.afterBlock === undefined && index === answer.content.length - 1) {
      const deltas = toBlockDeltas(index, block)
      send(toBlockStart(index, block))
      for (const event of deltas.slice(0, Math.ceil(deltas.length / 2))) send(event)
      return breakOff(response)
    }
    for (const event of toBlockEvents(index, block)) send(event)
    if (fault?.kind === 'cut' && fault.afterBlock === index) return breakOff(response)
    if (fault?.kind === 'stall' && (fault.afterBlock ?? 0) === index) await pause(fault.ms, signal)
    if (fault?.kind === 'sse_error' && (fault.afterBlock ?? 0) === index) {
      const error = { type: fault.type ?? errorTypeOf(529), message: fault.message ?? 'Overloaded' }
      send({ type: 'error', error })
      response.end()
      return 'error'
    }
  }
  if (signal.aborted) return 'aborted'
  for (const event of toEndEvents(answer, input)) send(event)
  response.end()
  return 'complete'
}

/** Flushes the written data to the client, then closes the connection. */
async function breakOff(response: ServerResponse): Promise<StreamEnd> {
  await new Promise<void>((resolve) => response.write(': \n\n', () => resolve()))
  response.destroy()
  return 'cut'
}
