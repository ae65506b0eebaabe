import { FINAL_JOB_EVENTS, type JobEventRecord } from '@corrigenda/contracts'

import { createParser } from 'eventsource-parser'

/** `refused` means that the service denied access, so a retry would also fail. */
export type FeedState = 'connecting' | 'live' | 'reconnecting' | 'ended' | 'refused'

interface EventFeedOptions {
  /** URL path of the job's events. */
  readonly path: string
  /** Sequence number of the last known event, or 0 to read all events. */
  readonly after: number
  /** Called with each new event exactly once, in order. */
  readonly onEvents: (events: readonly JobEventRecord[]) => void
  readonly onState: (state: FeedState) => void
  readonly fetch?: typeof fetch
  /** Waits before a retry. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  /**
   * Timeout in ms for a silent connection. The service sends data at least every 15 s, so a much
   * longer silence means that the connection is dead.
   */
  readonly silenceMs?: number
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

/**
 * Follows a job's events until the job has ended, across reconnections. Each connection resumes
 * after the last received event (`Last-Event-ID`), so that no event is duplicated or lost.
 * @returns a handle that stops the feed
 */
export function openEventFeed(options: EventFeedOptions): { close(): void } {
  const { pause = waitOrOnline, onState } = options
  const abort = new AbortController()
  let last = options.after
  let mayHaveEnded = false

  const take = (data: string) => {
    // The feed is closed. The next feed will read this event.
    if (abort.signal.aborted) return
    const event = JSON.parse(data) as JobEventRecord
    if (event.seq <= last) return
    // The service numbers events without gaps, so this is a safeguard. Resuming from the last event
    // is always correct.
    if (event.seq !== last + 1) throw new Error('an event is missing')
    last = event.seq
    mayHaveEnded = FINAL_JOB_EVENTS.has(event.type)
    options.onEvents([event])
  }

  const connect = async (): Promise<'again' | 'ended' | 'refused'> => {
    const silence = watchSilence(options.silenceMs ?? 45_000, abort.signal)
    try {
      const response = await (options.fetch ?? fetch)(options.path, {
        headers: { accept: 'text/event-stream', ...(last > 0 ? { 'last-event-id': String(last) } : {}) },
        credentials: 'same-origin',
        cache: 'no-store',
        signal: silence.signal,
      })
      if (response.status === 204) return 'ended'
      if (response.status >= 400 && response.status < 500 && response.status !== 429) return 'refused'
      if (!response.ok || !response.body) throw new Error(`the service returned status ${response.status}`)
      onState('live')
      for await (const part of readEventStream(response.body)) {
        silence.restart()
        if (part.kind === 'event') take(part.data)
      }
      return 'again'
    } finally {
      silence.stop()
    }
  }

  const run = async () => {
    let failures = 0
    onState('connecting')
    while (!abort.signal.aborted) {
      const before = last
      try {
        const result = await connect()
        if (abort.signal.aborted) return
        if (result !== 'again') return onState(result)
      } catch {
        if (abort.signal.aborted) return
        mayHaveEnded = false
      }
      failures = last > before ? 0 : failures + 1
      if (mayHaveEnded && failures === 0) continue
      onState('reconnecting')
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1)), abort.signal)
    }
  }
  void run()
  return { close: () => abort.abort() }
}

/** Returns a signal that aborts after `ms` of silence or when the feed is closed. */
function watchSilence(ms: number, closed: AbortSignal) {
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), ms)
  return {
    signal: AbortSignal.any([silent.signal, closed]),
    restart() {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), ms)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Waits for `ms`, or until the network is back or the feed is closed. */
function waitOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}

/** A part of a Server-Sent Events stream: an event, or a heartbeat. */
type StreamPart = { readonly kind: 'event'; readonly data: string } | { readonly kind: 'beat' }

/**
 * Reads a body of Server-Sent Events as it arrives. Only `data` is used, because this service's
 * events contain their own sequence number and type. Every received chunk counts as a heartbeat.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamPart> {
  const events: StreamPart[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push({ kind: 'event', data }) })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield { kind: 'beat' }
      parser.feed(decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    // Cancelling fails if the stream is broken, but a broken stream is already closed.
    await reader.cancel().catch(() => {})
  }
}
