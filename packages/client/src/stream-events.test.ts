import { expect, test } from 'vitest'
import { breakOff, event, json, type Reply, refuse, serveScript, stream } from './test-support/serve-script.ts'

const jobEnded: Reply = (response) => response.writeHead(204).end()
const lastIds = (received: { headers: Record<string, unknown> }[]) =>
  received.map(({ headers }) => headers['last-event-id'])

async function readAll(events: AsyncIterable<{ seq: number }>): Promise<number[]> {
  const seen: number[] = []
  for await (const { seq } of events) seen.push(seq)
  return seen
}

test('yields events once and in order, despite broken connections and repeated events', async () => {
  const { client, received } = await serveScript([
    // The connection breaks in the middle of the third event.
    stream(`retry: 1\n\n${event(1, 'job.created')}${event(2, 'job.started')}${event(3, 'x').slice(0, 25)}`, 'break'),
    breakOff,
    stream(`: heartbeat\n\n${event(2, 'job.started')}${event(3, 'phase.changed')}`),
    stream(event(4, 'job.completed').replaceAll('\n', '\r\n')),
    jobEnded,
  ])
  expect(await readAll(client.events('job_1'))).toEqual([1, 2, 3, 4])
  expect(lastIds(received)).toEqual(['0', '2', '2', '3', '4'])
  expect(received[0]?.headers.accept).toBe('text/event-stream')
})

test('starts after `after`, and keeps yielding events if the job becomes active again', async () => {
  const { client, received } = await serveScript([
    stream(`retry: 1\n\n${event(8, 'job.completed')}`),
    stream(`${event(9, 'job.continued')}${event(10, 'job.failed')}`),
    jobEnded,
  ])
  expect(await readAll(client.events('job_1', { after: 7 }))).toEqual([8, 9, 10])
  expect(lastIds(received)).toEqual(['7', '8', '10'])
})

test('throws on API errors, repeated connection errors, responses from another server and an aborted signal', async () => {
  const refused = await serveScript([refuse(404, 'not_found')])
  await expect(readAll(refused.client.events('job_1'))).rejects.toMatchObject({ code: 'not_found', requestId: 'r-1' })
  const page = await serveScript([json(200, { events: [] })])
  await expect(readAll(page.client.events('job_1'))).rejects.toMatchObject({ code: 'not_the_api' })
  const broken = await serveScript([stream('retry: 1\n\n', 'break')], { retries: { maxAttempts: 2 } })
  await expect(readAll(broken.client.events('job_1'))).rejects.toMatchObject({ code: 'connection_failed' })
  const stop = new AbortController()
  const endless = await serveScript([
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(1, 'job.created'))
    },
  ])
  const reading = (async () => {
    for await (const _ of endless.client.events('job_1', { signal: stop.signal })) stop.abort(new Error('enough'))
  })()
  await expect(reading).rejects.toThrow('enough')
})

test('wait with onEvent reports every event, then returns the job', async () => {
  const seen: number[] = []
  const { client } = await serveScript([
    stream(`retry: 1\n\n${event(1, 'job.created')}${event(2, 'job.completed')}`),
    jobEnded,
    json(200, { id: 'job_1', status: 'completed' }),
  ])
  const job = await client.waitForJob('job_1', { onEvent: ({ seq }) => seen.push(seq) })
  expect([job.status, seen]).toEqual(['completed', [1, 2]])
})

test('resumes a stream that stops sending data, and resets the count of broken connections on a heartbeat', async () => {
  const quiet =
    (text: string): Reply =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text)
    }
  const { client, received } = await serveScript(
    [
      quiet(`retry: 1\n\n${event(1, 'job.created')}`),
      // More consecutive broken connections than allowed, but each one delivered a heartbeat.
      ...Array.from({ length: 4 }, () => stream('retry: 1\n\n: \n\n', 'break')),
      stream(event(2, 'job.completed')),
      jobEnded,
    ],
    { retries: { silenceMs: 2_000, maxAttempts: 2 } },
  )
  expect(await readAll(client.events('job_1'))).toEqual([1, 2])
  expect(lastIds(received)).toEqual(['0', '1', '1', '1', '1', '1', '2'])
})
