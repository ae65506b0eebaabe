import { startOtlpReceiver } from '@corrigenda/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLog } from '../runtime/open-log.ts'
import { openTracer } from './open-tracer.ts'
import { parseTraceparent, type Span } from './span.ts'
import { otlpHeaders } from './trace-settings.ts'
import { findSpan, runInSpan, withSpan } from './with-span.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'

test.each([
  [`00-${ID}-00f067aa0ba902b7-01`, { traceId: ID, spanId: '00f067aa0ba902b7', traceFlags: 1 }],
  [`00-${ID}-00f067aa0ba902b7-02`, { traceId: ID, spanId: '00f067aa0ba902b7', traceFlags: 0 }],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, null],
  [`00-${ID}-${'0'.repeat(16)}-01`, null],
  [`00-${ID.toUpperCase()}-00f067aa0ba902b7-01`, null],
  [`00-${ID}-00f067aa0ba902b7-01-more`, null],
  [null, null],
])('parses %s', (text, expected) => expect(parseTraceparent(text)).toEqual(expected))

test('parses headers', () => {
  expect(otlpHeaders.parse('authorization=Bearer%20a=b, x-team = docs,')).toEqual({
    authorization: 'Bearer a=b',
    'x-team': 'docs',
  })
  for (const text of ['novalue', 'a b=c', 'a=%zz']) expect(otlpHeaders.safeParse(text).success).toBe(false)
})

function openSpans() {
  const lines: string[] = []
  const build = (name: string): Span => ({
    traceId: ID,
    traceparent: name,
    startChild: (child) => build(`${name}/${child}`),
    set: () => {},
    fail: (type) => void lines.push(`${name} failed: ${type}`),
    end: () => void lines.push(`${name} ended`),
  })
  return { lines, root: build('root') }
}

test('spans are nested in the context of their work, and end with it', async () => {
  const { lines, root } = openSpans()
  await runInSpan(root, async () => {
    await Promise.all([withSpan('a', {}, () => withSpan('b', {}, async () => {})), withSpan('c', {}, async () => {})])
  })
  expect(lines.sort()).toEqual(['root ended', 'root/a ended', 'root/a/b ended', 'root/c ended'])
  expect(findSpan()).toBeNull()
  expect(await withSpan('d', {}, async (span) => span)).toBeNull()
})

test('a failed span has the code of the error, but not its message', async () => {
  const { lines, root } = openSpans()
  const error = Object.assign(new Error('prompt and secret'), { code: 'branch_conflict' })
  await expect(runInSpan(root, () => Promise.reject(error))).rejects.toBe(error)
  await expect(runInSpan(root, () => Promise.reject(new TypeError('secret')))).rejects.toThrow('secret')
  expect(lines).toEqual(['root failed: branch_conflict', 'root ended', 'root failed: TypeError', 'root ended'])
})

/** Opens a tracer for a receiver that does not accept spans. */
async function openRejected(toEndpoint: (url: string) => string = (url) => url) {
  const receiver = await startOtlpReceiver()
  onTestFinished(receiver.close)
  const lines: string[] = []
  const log = openLog({ level: 'warn', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const settings = { endpoint: toEndpoint(receiver.url), headers: { authorization: 'Bearer token-1' } }
  const tracer = await openTracer(settings, { name: 'test', version: '1.2.3', log })
  if (tracer === null) throw new Error('Traces are off.')
  return { receiver, tracer, lines }
}

test('closing waits for a receiver for two seconds only', async () => {
  const { receiver, tracer, lines } = await openRejected()
  receiver.mode = 'hang'
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  tracer.start('a', { parent: null }).end()
  const closing = tracer.close()
  await expect.poll(() => receiver.bodies.length).toBe(1)
  vi.advanceTimersByTime(2_000)
  await closing
  // The request has not failed yet.
  expect(lines).toEqual([])
})

test('few spans wait for a receiver, and its errors are logged once, without credentials', async () => {
  const { receiver, tracer, lines } = await openRejected((url) => `${url}/wrong`)
  for (let n = 0; n < 10_000; n++) tracer.start('a', { parent: null }).end()
  // 512 spans in each request. At most 4096 of them wait.
  await expect.poll(() => receiver.bodies.length).toBeGreaterThanOrEqual(8)
  await tracer.close()
  expect(receiver.bodies.length).toBeLessThanOrEqual(9)
  expect(receiver.problems.length).toBe(receiver.bodies.length)
  expect(lines).toEqual([expect.stringContaining('traces could not be sent')])
  expect(lines[0]).not.toContain('token-1')
})

test('without a receiver, nothing is opened', async () => {
  const log = openLog({ level: 'silent', secrets: [] })
  expect(await openTracer(null, { name: 'test', version: '1.2.3', log })).toBeNull()
})
