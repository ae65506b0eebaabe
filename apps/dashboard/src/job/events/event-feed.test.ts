import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type FeedState, openEventFeed, readEventStream } from './open-event-feed.ts'

const toText = (seq: number, type = 'tool.called') =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, type, createdAt: '', data: { text: 'ä\n👍' } })}\n\n`

/**
 * Starts a server that sends one of these responses per connection, in order, and runs a feed
 * against it until the feed ends. `cut` is the sequence number of the event after which the
 * connection breaks.
 */
async function runFeed(responses: readonly { status?: number; text?: string; cut?: number }[], options = {}) {
  const asked: (string | undefined)[] = []
  let cutOff = () => {}
  const server = createServer((request, response) => {
    const { status = 200, text = '', cut } = responses[asked.length] ?? { status: 204 }
    asked.push(request.headers['last-event-id']?.toString())
    response.writeHead(status, { 'content-type': 'text/event-stream' })
    if (cut === undefined) return void response.end(text)
    cutOff = () => response.destroy()
    response.write(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const seqs: number[] = []
  const states: FeedState[] = []
  const pauses: number[] = []
  await new Promise<void>((done) => {
    const feed = openEventFeed({
      path: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      after: 0,
      onEvents: (events) => {
        seqs.push(...events.map(({ seq }) => seq))
        if (seqs.at(-1) === responses[asked.length - 1]?.cut) cutOff()
      },
      onState: (state) => {
        states.push(state)
        if (state === 'ended' || state === 'refused') done()
      },
      pause: async (ms) => void pauses.push(ms),
      ...options,
    })
    onTestFinished(() => feed.close())
  })
  return { asked, seqs, states, pauses }
}

test('an interrupted stream resumes after the last event and reports each event once', async () => {
  const { asked, seqs, states } = await runFeed([
    { text: `retry: 2000\n\n${toText(1)}${toText(2)}${toText(3).slice(0, 20)}`, cut: 2 },
    { status: 503 },
    // A server that ignores Last-Event-ID resends some events.
    { text: `: beat\n\n${toText(2)}${toText(3)}${toText(4, 'job.completed')}` },
  ])
  expect(seqs).toEqual([1, 2, 3, 4])
  expect(asked).toEqual([undefined, '2', '2', '4'])
  expect(states).toEqual(['connecting', 'live', 'reconnecting', 'reconnecting', 'live', 'ended'])
})

test('reconnects to request a missing event instead of skipping it', async () => {
  const { asked, seqs } = await runFeed([{ text: toText(1) + toText(3) }, { text: toText(2) + toText(3) }])
  expect([seqs, asked]).toEqual([
    [1, 2, 3],
    [undefined, '1', '3'],
  ])
})

test('retries back off while no events arrive, and the backoff resets after an event', async () => {
  const down = { status: 503 }
  const { pauses } = await runFeed([down, down, down, down, down, down, down, { text: toText(1), cut: 1 }, down])
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 500, 500])
})

test('the feed stops after a 404 response, but reconnects after a silent period', async () => {
  expect((await runFeed([{ status: 404 }])).states).toEqual(['connecting', 'refused'])
  const server = createServer((_request, response) => response.writeHead(200).write(': hello\n\n'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const states: FeedState[] = []
  await new Promise<void>((done) => {
    const feed = openEventFeed({
      path: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      after: 0,
      onEvents: () => {},
      onState: (state) => states.push(state),
      pause: async () => {
        feed.close()
        done()
      },
      silenceMs: 1_000,
    })
  })
  expect(states).toEqual(['connecting', 'live', 'reconnecting'])
  server.closeAllConnections()
})

const toStream = (pieces: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

test('a closed feed reports no more events, even if they were already received', async () => {
  const body = new TextEncoder().encode(toText(1) + toText(2) + toText(3))
  const seqs: number[] = []
  await new Promise<void>((done) => {
    const feed = openEventFeed({
      path: '/',
      after: 0,
      fetch: async () => new Response(toStream([body, body])),
      onState: () => {},
      onEvents: (events) => {
        seqs.push(...events.map(({ seq }) => seq))
        feed.close()
        setImmediate(done)
      },
    })
  })
  expect(seqs).toEqual([1])
})

test('parses events regardless of how the stream is split into chunks', async () => {
  const bytes = new TextEncoder().encode(`retry: 1\n\n: beat\r\n\r\n${toText(1)}data: a\ndata:b\n\nid: 9\n\ndata: cut`)
  const read = async (size: number) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, (i + 1) * size),
    )
    const found: string[] = []
    for await (const part of readEventStream(toStream(pieces))) if (part.kind === 'event') found.push(part.data)
    return found
  }
  const whole = await read(10_000)
  expect([whole.length, whole[1], JSON.parse(whole[0] ?? '').data.text]).toEqual([2, 'a\nb', 'ä\n👍'])
  for (const size of [1, 2, 3, 7]) expect(await read(size)).toEqual(whole)
})
