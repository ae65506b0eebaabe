import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '@corrigenda/core/runtime'
import { buildRehearsalModel } from '@corrigenda/demo'
import { type MessagesApi, type ModelScript, startGitHost, startMessagesApi } from '@corrigenda/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { readCall } from '../read-call.ts'
import { loadCredential } from '../run/load-credential.ts'
import { loadModel } from '../run/load-model.ts'
import { readTasks, type Task } from '../task/read-tasks.ts'
import { compareResults, formatComparison, toMcNemar } from './compare.ts'
import { formatReport, formatTable, toWilson } from './format-report.ts'
import { type MeasureCall, measure, redact } from './measure.ts'
import { type MeasuredAttempt, type Results, readResults } from './results.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const task = (id: string, change: Partial<Task> = {}): Task => {
  const [found] = readTasks({ glob: id, split: null, folder: null })
  return { ...(found as Task), ...change }
}

/** Two tasks that the rehearsal model supports and two that it does not. */
const TASKS: readonly Task[] = [
  task('rename/command-name', { prompt: 'replace "kestrel-agent" with "kestrel-probe"' }),
  task('rename/product-name', { prompt: 'replace "Lantern Server" with "Lantern Core"' }),
  task('closed-world/file-limit'),
  task('closed-world/query-function'),
]

interface HarnessState {
  readonly api: MessagesApi
  readonly dir: string
  readonly lines: string[]
  run(
    args: readonly string[],
    tasks?: readonly Task[],
    change?: { signal?: AbortSignal; env?: Env },
  ): ReturnType<typeof measure>
}

async function openHarness(
  modelScript: ModelScript = buildRehearsalModel(),
  env: Record<string, string> = {},
): Promise<HarnessState> {
  const api = await startMessagesApi({ modelScript, pingMs: 20 })
  closing.push(() => api.close())
  const dir = await mkdtemp(join(tmpdir(), 'corrigenda-eval-test-'))
  closing.push(() => rm(dir, { recursive: true, force: true }))
  const model = loadModel({ ANTHROPIC_API_KEY: api.key, ANTHROPIC_BASE_URL: api.url, MODEL_RETRIES: '0', ...env })
  const lines: string[] = []
  return {
    api,
    dir,
    lines,
    run: (args, tasks = TASKS, { signal = new AbortController().signal, env: more = {} } = {}) =>
      measure(
        {
          model,
          coldBuild: 'inline',
          credential: loadCredential(more),
          say: (line) => void lines.push(line),
        },
        { call: readCall(args) as MeasureCall, tasks },
        signal,
      ),
  }
}

const verdicts = (attempts: readonly MeasuredAttempt[]) =>
  attempts.map(({ task: id, verdict }) => `${id} ${verdict}`).sort()

// A long timeout, for machines under load.
describe('measuring', { timeout: 180_000 }, () => {
  it('reports results with reasons, repeats attempts, redacts secrets and compares results', async () => {
    // A careless model repeats its API key. The key must not be written anywhere.
    const key = 'sk-ant-local-0123456789abcdef'
    const talk: ModelScript = (request) => {
      const said = buildRehearsalModel()(request)
      const content = said.content.map((block) => {
        const reason = block.type === 'tool_use' && block.name === 'finish' ? block.input.reason : undefined
        return reason === undefined || block.type !== 'tool_use'
          ? block
          : { ...block, input: { ...block.input, reason: `${reason} ${key}` } }
      })
      return { ...said, content }
    }
    const api = await startMessagesApi({ modelScript: talk, key, pingMs: 20 })
    closing.push(() => api.close())
    const { run, dir, lines } = await openHarness(talk, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: api.url })
    const [json, report] = [join(dir, 'out.json'), join(dir, 'out.md')]
    const results = await run(
      ['--repeat', '2', '--concurrency', '3', '--json', json, '--report', report],
      TASKS.slice(0, 3),
    )
    expect(results.stopped).toBeNull()
    expect(verdicts(results.attempts)).toEqual([
      ...Array(2).fill('closed-world/file-limit failed'),
      ...Array(2).fill('rename/command-name passed'),
      ...Array(2).fill('rename/product-name passed'),
    ])
    const failed = results.attempts.find(({ verdict }) => verdict === 'failed')
    expect(failed).toMatchObject({ outcome: 'needs_input', said: expect.stringContaining('[redacted]') })
    expect(failed?.reasons[0]).toBe('The outcome is needs_input, expected changed.')
    const passed = results.attempts.find(({ verdict }) => verdict === 'passed')
    expect(passed?.usage.costUsd).toBeGreaterThan(0)
    expect(passed?.usage.turns).toBeGreaterThan(2)
    expect(readResults(json)).toEqual(results)
    const written = [await readFile(json, 'utf8'), await readFile(report, 'utf8'), ...lines].join('\n')
    expect(written).not.toContain(key)
    expect(written).toMatch(/\| all +\| 3 +\| 67%/)
    expect(formatReport(results)).toBe(await readFile(report, 'utf8'))
    expect(compareResults(results, results)).toMatchObject({ difference: 0, onlyA: [], onlyB: [], p: 1, costRatio: 1 })
  })

  it('starts no attempt that could exceed the cost limit, and resumes where it stopped', async () => {
    const { run, dir, api } = await openHarness()
    const json = join(dir, 'out.json')
    const cheap = ['--max-cost-per-attempt', '1', '--concurrency', '1']
    const first = await run(['--max-cost', '1.26', ...cheap, '--json', json])
    expect(first.stopped).toContain('exceed the limit of 1.26 US dollars')
    expect(first.attempts.length).toBeGreaterThan(0)
    expect(first.attempts.length).toBeLessThan(TASKS.length)
    const spent = first.attempts.reduce((sum, { usage }) => sum + (usage.costUsd ?? 0), 0)
    expect(spent + 1.25).toBeGreaterThan(1.26)
    const before = api.requests.length
    const again = await run(['--max-cost', '1.26', ...cheap, '--resume', json])
    expect(again.attempts).toEqual(first.attempts)
    expect(api.requests.length).toBe(before)
    const rest = await run(['--max-cost', '5', ...cheap, '--resume', json])
    expect(rest).toMatchObject({ stopped: null, startedAt: first.startedAt })
    expect(rest.attempts.slice(0, first.attempts.length)).toEqual(first.attempts)
    expect(new Set(rest.attempts.map((one) => one.task)).size).toBe(TASKS.length)
    expect(rest.attempts).toHaveLength(TASKS.length)
    await expect(run(['--resume', json, '--repeat', '3'])).rejects.toThrow('a different number of repeats')
    await expect(run(['--resume', json, '--model', 'claude-opus-5-5'])).rejects.toThrow('a different model')
    await expect(run(['--resume', json], [task('rename/command-name')])).rejects.toThrow('a different set of tasks')
  })

  it('rejects a cost limit for a model without a price', async () => {
    const { run } = await openHarness()
    await expect(run(['--model', 'claude-opus-9'])).rejects.toThrow('The price of claude-opus-9 is unknown')
  })

  it('leaves the task unmeasured after a model API error, stops, and retries it with --resume', async () => {
    const { run, dir, api } = await openHarness()
    const json = join(dir, 'out.json')
    api.fault({ kind: 'status', status: 401, times: 1 })
    const first = await run(['--json', json, '--concurrency', '1'], TASKS.slice(0, 2))
    expect(first.stopped).toContain('model_unauthorized')
    expect(first.attempts).toMatchObject([{ verdict: 'unmeasured' }])
    const rest = await run(['--resume', json], TASKS.slice(0, 2))
    expect(verdicts(rest.attempts)).toEqual(['rename/command-name passed', 'rename/product-name passed'])
  })

  it('stops on a signal and keeps its results', async () => {
    const { run, dir } = await openHarness()
    const stop = new AbortController()
    stop.abort()
    const json = join(dir, 'out.json')
    const results = await run(['--json', json], TASKS, { signal: stop.signal })
    expect(results).toMatchObject({ attempts: [], stopped: 'Stopped by a signal.' })
    expect(readResults(json)).toEqual(results)
  })

  it('fetches external repositories by URL and commit, and caches them', async () => {
    const { run, dir } = await openHarness()
    const host = await startGitHost({ root: join(dir, 'host') })
    closing.push(() => host.close())
    const files = (text: string) => new Map([['a.md', { data: `# A\n\n${text}\n` }]])
    await host.createRepository('else/docs', {
      commits: [
        { message: 'one', files: files('Old words.') },
        { message: 'two', files: files('New words.') },
      ],
    })
    const commit = (await host.git('else/docs', 'rev-parse', 'main~1')).trim()
    const folder = join(dir, 'tasks')
    mkdirSync(join(folder, 'rename'), { recursive: true })
    const foreign = [
      `repository: { url: "${host.repositoryUrl('else/docs')}.git", commit: ${commit} }`,
      'prompt: replace "Old words" with "Other words"',
      'answer: { title: Rename, steps: [{ do: edit, path: a.md, old: Old, new: Other }] }',
      'standard: false',
      'expect: [{ kind: same-as-gold, path: a.md }]',
    ]
    await writeFile(join(folder, 'rename/foreign.yaml'), foreign.join('\n'))
    const tasks = readTasks({ glob: null, split: null, folder })
    const cache = join(dir, 'cache')
    const args = ['--repository-cache', cache]
    const unmeasured = [{ verdict: 'unmeasured', code: 'repository' }]
    // The token is sent only to allowed hosts, even if a task names a different host.
    const elsewhere = { GITHUB_TOKEN: host.token }
    expect((await run(args, tasks, { env: elsewhere })).attempts).toMatchObject(unmeasured)
    expect(host.requests.map(({ status }) => status)).toEqual(host.requests.map(() => 401))
    const env = { ...elsewhere, ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host }
    expect((await run(args, tasks, { env })).attempts).toMatchObject([{ task: 'rename/foreign', verdict: 'passed' }])
    const countFetches = () => host.requests.filter(({ op }) => op === 'git.fetch').length
    const fetches = countFetches()
    expect(fetches).toBeGreaterThan(0)
    expect((await run(args, tasks, { env })).attempts).toMatchObject([{ verdict: 'passed' }])
    expect(countFetches()).toBe(fetches)
    const gone = tasks.map((one) => ({ ...one, repository: { url: `${host.repositoryUrl('else/none')}.git`, commit } }))
    expect((await run(args, gone, { env })).attempts).toMatchObject(unmeasured)
  })
})

describe('arguments', () => {
  it('reports in one line which variable to set if no model is configured', () => {
    const env = { PATH: '/bin', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }
    expect(() => loadModel(env)).toThrow(/^No model is configured\. Set ANTHROPIC_API_KEY.*$/)
    expect(() => loadModel({ ANTHROPIC_API_KEY: 'k', MAX_TURNS: 'many' })).toThrow('MAX_TURNS')
  })

  it('parses valid arguments and rejects invalid ones with a reason', () => {
    expect(readCall(['--ci', '--tasks', 'rename/*'])).toMatchObject({ do: 'ci', choice: { glob: 'rename/*' } })
    expect(readCall(['--compare', 'a', 'b'])).toMatchObject({ do: 'compare', files: ['a', 'b'] })
    expect(readCall(['--max-cost', 'none'])).toMatchObject({ do: 'measure', maxCostUsd: null, repeat: 1 })
    const wrong = [
      ['--compare', 'a'],
      ['--split', 'x'],
      ['--repeat', '0'],
      ['--max-cost', '-1'],
      ['--nope'],
      ['x'],
      ['--json', 'a', '--resume', 'b'],
    ]
    for (const args of wrong) expect(() => readCall(args), args.join(' ')).toThrow()
  })
})

const attempt = (task: string, repeat: number, passed: boolean, costUsd: number | null): MeasuredAttempt => ({
  task,
  repeat,
  verdict: passed ? 'passed' : 'failed',
  outcome: 'changed',
  code: null,
  usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 90, cacheWriteTokens: 0, costUsd, turns: 4 },
  reasons: passed ? [] : ['It <b>is</b> | wrong.'],
  seconds: 2,
  refusedCalls: 0,
  diff: '+````',
  said: 'Said ``` so.',
})

/** Builds results from one row per task, with one letter per attempt: p passed, f failed. */
const toResults = (rows: readonly string[], costUsd: number | null = 0.1): Results => ({
  version: 1,
  model: 'm',
  harness: '1',
  startedAt: '2026-11-21T10:00:00.000Z',
  repeat: 1,
  tasks: rows.map((_, n) => ({
    id: `rename/t${n}`,
    hash: `h${n}`,
    family: n % 2 === 0 ? 'rename' : 'move',
    split: 'train',
  })),
  attempts: rows.flatMap((row, n) =>
    [...row].map((letter, m) => attempt(`rename/t${n}`, m + 1, letter === 'p', costUsd)),
  ),
  stopped: null,
})

describe('results', () => {
  it('have the published values of the Wilson interval and the exact p-value of McNemar', () => {
    expect(toWilson(0.5, 10)).toMatchObject({ low: expect.closeTo(0.2366, 3), high: expect.closeTo(0.7634, 3) })
    expect(toWilson(1, 20)).toMatchObject({ low: expect.closeTo(0.8389, 3), high: 1 })
    expect(toWilson(0, 0)).toEqual({ low: 0, high: 1 })
    expect(toMcNemar(0, 0)).toBe(1)
    expect(toMcNemar(0, 6)).toBeCloseTo(2 / 64, 10)
    expect(toMcNemar(10, 2)).toBeCloseTo((2 * (1 + 12 + 66)) / 4096, 10)
  })

  it('count one trial per task, and keep the text of a model inert', () => {
    const results = toResults(['ppp', 'ppf', 'fff', 'ppp'])
    expect(formatTable(results)).toMatch(/\| all +\| 4 +\| 67% +\| 25% to 92% +\| 2 +\| 3 +\| \$1\.20 /)
    const report = formatReport({ ...results, model: 'a`b', stopped: '*x*' })
    expect(report).toContain('- It \\<b\\>is\\</b\\> \\| wrong.')
    expect(report).toContain('````text\nSaid ``` so.\n````')
    expect(report).toContain('`````diff\n+````\n`````')
    expect(report).toContain('**Incomplete.** \\*x\\*')
    expect(formatTable(toResults(['p'], null))).toContain('| unknown |')
  })

  it('are compared by task', () => {
    const a = toResults(['ppp', 'fff', 'ffp', 'ppp', 'fff'])
    const b = toResults(['ppp', 'ppp', 'ppf', 'ffp', 'fff'], 0.2)
    const comparison = compareResults(a, b)
    expect(comparison).toMatchObject({
      onlyA: ['rename/t3'],
      onlyB: ['rename/t1', 'rename/t2'],
      p: 1,
      costRatio: expect.closeTo(2),
      difference: expect.closeTo(2 / 15),
      // The differences are 0, 1, 1/3, -2/3 and 0.
      margin: expect.closeTo(1.96 * Math.sqrt((14 / 9 / 5 - 4 / 225) / 5)),
    })
    expect(formatComparison(a, b, comparison)).toContain('Solved by A only: 1; by B only: 2')
    expect(compareResults(a, toResults(['ppp', 'fff', 'ffp', 'ppp', 'fff'], null)).costRatio).toBeNull()
  })

  it('are not compared if tasks are different, changed or unmeasured', () => {
    const a = toResults(['p', 'p'])
    expect(() => compareResults(a, toResults(['p']))).toThrow('Only one of the results has rename/t1')
    const changed = { ...a, tasks: a.tasks.map((one, n) => (n === 1 ? { ...one, hash: 'x' } : one)) }
    expect(() => compareResults(a, changed)).toThrow('these tasks changed: rename/t1')
    expect(() => compareResults(a, { ...a, attempts: a.attempts.slice(1) })).toThrow(
      'Use --resume to measure rename/t0',
    )
  })

  it('have no secrets, in strings at any depth', () => {
    const value = { a: ['x sk-"123456 y', { b: null }], n: 5 }
    expect(redact(value, ['sk-"123456', 'x'])).toEqual({ a: ['x [redacted] y', { b: null }], n: 5 })
  })
})
