import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '@corrigenda/core/runtime'
import { buildRehearsalModel } from '@corrigenda/demo'
import { type MessagesApi, type ModelScript, startGitHost, startMessagesApi } from '@corrigenda/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { readCall } from '../read-call.ts'
import { loadCredential } from '../run/load-credential.ts'
import { loadModel, NoModelError } from '../run/load-model.ts'
import { SITES } from '../sites/all-sites.ts'
import { chooseTasks } from '../task/choose-tasks.ts'
import type { Task } from '../task/task.ts'
import { ALL_TASKS } from '../tasks/all-tasks.ts'
import { compareResults } from './compare.ts'
import { formatReport } from './format-report.ts'
import { measure } from './measure.ts'
import type { MeasureCall } from './measure-call.ts'
import type { MeasuredAttempt } from './results.ts'
import { readResults, saveResults } from './results-file.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const task = (id: string, change: Partial<Task> = {}): Task => {
  const found = ALL_TASKS.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no task ${id}`)
  return { ...found, ...change }
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
          sites: SITES,
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
    expect(await readResults(json)).toEqual(results)
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
    await expect(run(['--resume', json], [task('rename/command-name')])).rejects.toThrow('different tasks')
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
    expect(await readResults(json)).toEqual(results)
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
    const foreign = {
      id: 'rename/foreign',
      family: 'rename',
      split: 'held-out',
      repository: { url: `${host.repositoryUrl('else/docs')}.git`, commit },
      prompt: 'replace "Old words" with "Other words"',
      graders: [{ kind: 'same-as-gold', path: 'a.md' }],
      gold: { steps: [{ do: 'edit', path: 'a.md', old: 'Old', new: 'Other' }], ending: { outcome: 'changed' } },
      opposite: { steps: [], ending: { outcome: 'no_change' } },
    }
    const file = join(dir, 'tasks.json')
    await saveResults(file, [foreign] as never)
    const tasks = await chooseTasks(ALL_TASKS, { glob: null, family: null, split: null, file })
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
    expect(() => loadModel({ PATH: '/bin', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })).toThrow(NoModelError)
    expect(new NoModelError().message).toMatch(/^No model is configured\. Set ANTHROPIC_API_KEY.*$/)
    expect(() => loadModel({ ANTHROPIC_API_KEY: 'k', MAX_TURNS: 'many' })).toThrow('MAX_TURNS')
  })

  it('parses valid arguments and rejects invalid ones with a reason', async () => {
    expect(readCall(['--ci', '--tasks', 'rename/*'])).toMatchObject({ do: 'ci', choice: { glob: 'rename/*' } })
    expect(readCall(['--compare', 'a', 'b'])).toMatchObject({ do: 'compare', files: ['a', 'b'] })
    expect(readCall(['--max-cost', 'none'])).toMatchObject({ do: 'measure', maxCostUsd: null, repeat: 1 })
    const wrong = [
      ['--compare', 'a'],
      ['--family', 'x'],
      ['--repeat', '0'],
      ['--max-cost', '-1'],
      ['--nope'],
      ['x'],
      ['--json', 'a', '--resume', 'b'],
    ]
    for (const args of wrong) expect(() => readCall(args), args.join(' ')).toThrow()
    const none = { glob: 'nothing/*', family: null, split: null, file: null }
    await expect(chooseTasks(ALL_TASKS, none)).rejects.toThrow('No task matches')
    await expect(chooseTasks(ALL_TASKS, { ...none, glob: null, file: '/nowhere.json' })).rejects.toThrow(
      'is not readable',
    )
    const heldOut = await chooseTasks(ALL_TASKS, { glob: 'move/*', family: 'move', split: 'held-out', file: null })
    expect(heldOut.length).toBeGreaterThan(2)
  })
})
