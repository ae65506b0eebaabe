import type { ServerResponse } from 'node:http'
import type { Answer } from './build-answer.ts'
import type { InputUsage } from './meter-usage.ts'
import { pause } from './pause.ts'
import { openEventStream, toBlockEvents, toEndEvents, toStartEvent } from './stream-events.ts'

interface StreamInput {
  id: string
  model: string
  input: InputUsage
  answer: Answer
  paceMs: number
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** Sends a response as server-sent events, including the headers. */
export async function streamAnswer(response: ServerResponse, stream: StreamInput): Promise<void> {
  const { answer, input, signal } = stream
  const send = openEventStream(response, signal)
  send(toStartEvent(stream.id, stream.model, input))
  for (const [index, block] of answer.content.entries()) {
    await pause(stream.paceMs, signal)
    if (signal.aborted) return
    for (const event of toBlockEvents(index, block)) send(event)
  }
  for (const event of toEndEvents(answer, input)) send(event)
  response.end()
}
