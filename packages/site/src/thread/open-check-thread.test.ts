import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { buildChecker } from '../checks/build-checker.ts'
import { openCheckThread, type ThreadOptions } from './open-check-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'check-thread-'))
const bytes = (text: string) => new TextEncoder().encode(text)
const page = (text: string) => ({ kind: 'page', bytes: bytes(text), dialect: 'plain' }) as const
const [go, posted, hanging] = [join(folder, 'go'), join(folder, 'posted'), join(folder, 'hanging')]
/** The built module, because threads cannot load TypeScript. */
const built = new URL('../../dist/thread/check-thread.js', import.meta.url)
/** A separate thread module for failures that real pages cannot cause. */
let wild: URL

beforeAll(() => {
  const file = join(folder, 'wild.mjs')
  writeFileSync(
    file,
    `import { existsSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
const order = []
parentPort.on('message', ({ id, task }) => {
  const word = new TextDecoder().decode(task.bytes)
  parentPort.postMessage({ id, kind: 'began' })
  if (word === 'hang') {
    writeFileSync(${JSON.stringify(hanging)}, '')
    for (;;);
  }
  if (word === 'late') while (!existsSync(${JSON.stringify(go)}));
  if (word === 'throw') throw new Error('a bug')
  if (word === 'exit') process.exit(3)
  if (word === 'grow') for (const all = []; ; ) all.push(new Array(1000).fill({}))
  order.push(word)
  const value = { word, order: [...order], env: Object.keys(process.env) }
  parentPort.postMessage({ id, kind: 'answer', value })
  if (word === 'last') throw new Error('a bug')
  if (word === 'late') writeFileSync(${JSON.stringify(posted)}, '')
})
`,
  )
  wild = pathToFileURL(file)
})
afterAll(() => rmSync(folder, { recursive: true }))

async function withThread(options: ThreadOptions, use: (thread: ReturnType<typeof openCheckThread>) => Promise<void>) {
  const thread = openCheckThread(options)
  await use(thread).finally(thread.close)
}

it('reads pages in the thread without blocking the event loop', async () => {
  await withThread({ module: built }, async (thread) => {
    expect(thread.starts()).toBe(0)
    let turns = 0
    const clock = setInterval(() => {
      turns += 1
    }, 1)
    const text = '# A\n\n[link](b.md) and *emphasis* in a `line`\n\n'.repeat(1_000)
    const answer = await thread.run(page(text), {})
    clearInterval(clock)
    expect(answer).toMatchObject({ done: true, value: { anchors: expect.arrayContaining(['a', 'a1']), unread: null } })
    expect(turns).toBeGreaterThan(5)
    expect(thread.starts()).toBe(1)
  })
})

it('returns the same check results as reading in the main thread', async () => {
  await withThread({ module: built }, async (thread) => {
    const files = { 'docs.json': '{"navigation":{"pages":["a","b"]}}', 'a.mdx': '[b](/b)\n', 'b.mdx': '# B\n' }
    const found = []
    for (const checker of [buildChecker(), buildChecker({ runner: thread })]) {
      const workspace = buildMemoryWorkspace(files)
      await workspace.write('a.mdx', bytes('[b](/c) <Note>\n'))
      found.push(await checker.checkDocs({ workspace, scope: 'changed' }))
    }
    expect(found[0]).toEqual(found[1])
    expect(found[0]).toMatchObject([
      { name: 'syntax', introduced: 1 },
      {},
      { name: 'links', introduced: 1 },
      {},
      {},
      {},
      {},
    ])
  })
})

it.each<[word: string, reason: string, limits: ThreadOptions['limits']]>([
  ['hang', 'slow', {}],
  ['throw', 'crashed', {}],
  ['exit', 'crashed', {}],
  ['grow', 'crashed', { heapMb: 32 }],
])('fails only the task that would %s and completes the others', async (word, reason, limits) => {
  // The test controls the clock, so the thread's speed does not matter.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lost: string[] = []
  await withThread({ module: wild, limits: limits ?? {}, onLoss: (why) => lost.push(why) }, async (thread) => {
    const [first, ...others] = ['a', word, 'b', 'c'].map((text) => thread.run(page(text), {}))
    const answers = [await first!]
    if (reason === 'slow') {
      // Otherwise, the thread could be terminated while it posts its message, before it hangs.
      await expect.poll(() => existsSync(hanging)).toBe(true)
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
      vi.advanceTimersByTime(29_999)
      expect(lost).toEqual([])
      vi.advanceTimersByTime(1)
      // Other files in this process can have timers, so the thread's may have started only now.
      await expect
        .poll(() => {
          if (lost.length === 0) vi.advanceTimersByTime(30_000)
          return lost
        })
        .toEqual(['slow'])
    }
    answers.push(...(await Promise.all(others)))
    expect(answers.map((answer) => (answer.done ? Object(answer.value).word : answer.reason))).toEqual([
      'a',
      reason,
      'b',
      'c',
    ])
    expect(thread.starts()).toBe(2)
    expect(lost).toEqual([reason])
  })
})

it('uses a result that was posted before the thread ended', async () => {
  await withThread({ module: wild }, async (thread) => {
    for (let round = 1; round <= 3; round += 1) {
      const answers = await Promise.all(['a', 'last', 'b'].map((text) => thread.run(page(text), {})))
      expect(answers.slice(0, 2)).toMatchObject([
        { done: true, value: { word: 'a' } },
        { done: true, value: { word: 'last' } },
      ])
    }
  })
})

it('uses a result that was posted before the time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await withThread({ module: wild }, async (thread) => {
    const answers = Promise.all(['late', 'b'].map((text) => thread.run(page(text), {})))
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
    writeFileSync(go, '')
    // Blocks the event loop, so that the result has not been read when the time limit expires.
    while (!existsSync(posted));
    vi.advanceTimersByTime(30_000)
    expect(await answers).toMatchObject([
      { done: true, value: { word: 'late' } },
      { done: true, value: { word: 'b' } },
    ])
  })
})

it('alternates between lanes and gives the thread no environment variables', async () => {
  await withThread({ module: wild }, async (thread) => {
    const [large, small] = [{}, {}]
    const many = Array.from({ length: 40 }, (_, n) => thread.run(page(`large ${n}`), large))
    const one = await thread.run(page('small'), small)
    const value = Object(one.done ? one.value : null)
    expect(value.order.length).toBeLessThan(10)
    expect(value.env).toEqual([])
    await Promise.all(many)
  })
})

it('fails pending tasks with the reason `closed` when it is closed, and does not restart the thread', async () => {
  const thread = openCheckThread({ module: wild })
  const waiting = ['hang', 'a', 'b', 'c', 'd', 'e'].map((word) => thread.run(page(word), {}))
  await thread.close()
  await thread.close()
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ done: false, reason: 'closed' })))
  expect(await thread.run(page('a'), {})).toEqual({ done: false, reason: 'closed' })
  expect(thread.starts()).toBe(1)
})

it('reports a page that terminated the thread and does not retry it', async () => {
  await withThread({ module: wild, limits: { taskMs: 300 } }, async (thread) => {
    const { checkDocs } = buildChecker({ runner: thread })
    const workspace = buildMemoryWorkspace({})
    await workspace.write('a.md', bytes('hang'))
    for (let round = 0; round < 2; round += 1) {
      const results = await checkDocs({ workspace, scope: 'changed' })
      expect(results.at(-1)).toMatchObject({
        name: 'unread',
        status: 'skipped',
        findings: [{ file: 'a.md', message: expect.stringContaining('takes too long') }],
      })
    }
    expect(thread.starts()).toBe(1)
  })
})
