import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildChecker, HARNESS_VERSION } from '@corrigenda/worker/parts'
import { CallError } from '../../read-yaml.ts'
import { gradeAttempt } from '../grade/graders.ts'
import type { Model } from '../run/load-model.ts'
import { openRepositories, type RepositoriesOptions } from '../run/open-repositories.ts'
import { type AttemptDeps, DeferredError, runAttempt } from '../run/run-attempt.ts'
import type { Task } from '../task/read-tasks.ts'
import { readSite } from '../task/sites.ts'
import { applySteps } from '../task/steps.ts'
import { formatReport, formatTable } from './format-report.ts'
import { type MeasuredAttempt, type Results, readResults, saveResults } from './results.ts'

export interface MeasureCall {
  /** Folder for fetched repositories. Null for a temporary folder. */
  readonly cacheDir: string | null
  /** Null for the configured model. */
  readonly model: string | null
  readonly repeat: number
  readonly concurrency: number
  /** In US dollars. Null for no limit. */
  readonly maxCostUsd: number | null
  readonly maxCostPerAttemptUsd: number | null
  readonly json: string | null
  readonly resume: string | null
  readonly report: string | null
}

interface MeasureDeps extends Pick<RepositoriesOptions, 'coldBuild' | 'credential'> {
  readonly model: Model
  readonly say: (line: string) => void
}

/** Permanent model API errors. Every further attempt would fail the same way. */
const HOPELESS = ['model_unauthorized', 'model_billing', 'model_not_found', 'model_bad_request']
const OUTAGE = 'model_unavailable'
/** The measurement stops after this many consecutive unmeasured attempts. */
const MAX_UNMEASURED = 3
/** Factor for the last turn of an attempt, which may exceed the attempt's limit. */
const LAST_TURN = 1.25

/**
 * Measures a model on tasks, resumes an earlier measurement if requested, and writes the results.
 * An attempt starts only if its maximum cost and that of the running attempts are within the limit.
 * Redacts credentials in all output.
 * @throws CallError if the call does not match the tasks, the prices or the file to resume
 */
export async function measure(
  { model, say, coldBuild, credential }: MeasureDeps,
  { call, tasks }: { call: MeasureCall; tasks: readonly Task[] },
  signal: AbortSignal,
): Promise<Results> {
  const id = call.model ?? model.model
  const limit = call.maxCostUsd ?? Number.POSITIVE_INFINITY
  if (limit !== Number.POSITIVE_INFINITY && !Object.hasOwn(model.prices, id)) {
    throw new CallError(
      `The price of ${id} is unknown, so its cost cannot be limited. Set the price in MODELS, or use --max-cost none.`,
    )
  }
  const perAttempt = Math.min(call.maxCostPerAttemptUsd ?? model.budgets.maxCostUsd, limit / LAST_TURN)
  const file = call.resume ?? call.json
  const secrets = [...model.secrets, ...(credential === null ? [] : [credential.token])]
  let results = toStart(call, tasks, id)
  const missing = Array.from({ length: call.repeat }, (_, n) => tasks.map((task) => ({ task, repeat: n + 1 })))
    .flat()
    .filter(({ task, repeat }) => !results.attempts.some((one) => one.task === task.id && one.repeat === repeat))
  let spent = results.attempts.reduce((sum, { usage }) => sum + (usage.costUsd ?? 0), 0)
  let running = 0
  let unmeasured = 0
  let stopped: string | null = null
  let saving: Promise<void> = Promise.resolve()

  const root = await mkdtemp(join(tmpdir(), 'corrigenda-eval-'))
  try {
    const cacheDir = call.cacheDir ?? join(root, 'fetched')
    await using repositories = await openRepositories({ root, cacheDir, coldBuild, credential })
    const { callModel, prices, toModelOptions } = model
    const budgets = { ...model.budgets, maxCostUsd: perAttempt }
    const deps = {
      repositories,
      checker: buildChecker(),
      callModel,
      prices,
      toModelOptions,
      knownSecrets: secrets,
      budgets,
    }

    const work = async (): Promise<void> => {
      while (stopped === null && !signal.aborted && missing.length > 0) {
        if (spent + (running + 1) * perAttempt * LAST_TURN > limit) {
          // The cost never falls, so the workers that are running are enough for what is left.
          if (running === 0)
            stopped = `The next attempt could exceed the limit of ${limit} US dollars. Spent so far: ${spent.toFixed(2)}.`
          return
        }
        const next = missing.shift()
        if (next === undefined) return
        running += 1
        const attempt = redact(await tryTask(deps, { ...next, model: id }, signal), secrets)
        running -= 1
        spent += attempt.usage.costUsd ?? 0
        unmeasured = attempt.verdict === 'unmeasured' ? unmeasured + 1 : 0
        if (HOPELESS.includes(attempt.code ?? '') || unmeasured >= MAX_UNMEASURED)
          stopped ??= `${attempt.code}: ${attempt.said}`
        results = { ...results, attempts: [...results.attempts, attempt] }
        say(formatLine(attempt))
        // Attempts can end at the same time, so writes are serialized.
        if (file !== null) saving = saving.then(() => saveResults(file, results))
        await saving
      }
    }
    // Waits for all workers before their resources are closed.
    const ends = await Promise.allSettled(Array.from({ length: call.concurrency }, work))
    const broken = ends.find((end) => end.status === 'rejected')
    if (broken !== undefined && !signal.aborted) throw broken.reason
    results = { ...results, stopped: signal.aborted ? 'Stopped by a signal.' : stopped }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
  if (file !== null) await saveResults(file, results)
  if (call.report !== null) await writeFile(call.report, formatReport(results))
  say(`\n${formatTable(results)}`)
  if (results.stopped !== null)
    say(`\nIncomplete. ${results.stopped}${file === null ? '' : ` Continue with --resume ${file}`}`)
  return results
}

/** Returns an empty measurement, or the earlier measurement of the same tasks. */
function toStart(call: MeasureCall, tasks: readonly Task[], model: string): Results {
  const described = tasks.map((task) => ({ id: task.id, family: task.family, split: task.split, hash: hashTask(task) }))
  const { repeat } = call
  const facts = { version: 1 as const, model, harness: HARNESS_VERSION, repeat, tasks: described }
  if (call.resume === null) return { ...facts, startedAt: new Date().toISOString(), attempts: [], stopped: null }
  const former = readResults(call.resume)
  const toKey = (list: Results['tasks']) => JSON.stringify(list.map(({ id, hash }) => `${id} ${hash}`).sort())
  const differences = {
    model: former.model !== model,
    'harness version': former.harness !== HARNESS_VERSION,
    'number of repeats': former.repeat !== repeat,
    'set of tasks': toKey(former.tasks) !== toKey(described),
  }
  const other = Object.entries(differences).find(([, differs]) => differs)?.[0]
  if (other !== undefined)
    throw new CallError(`${call.resume} was measured with a different ${other}. Start a new file with --json.`)
  // Unmeasured attempts are retried.
  return { ...former, attempts: former.attempts.filter(({ verdict }) => verdict !== 'unmeasured'), stopped: null }
}

/** Returns a short hash of all data that determines an attempt's grade. */
function hashTask({ repository, before, prompt, earlier, policy, sources, graders, gold }: Task): string {
  const site = 'site' in repository ? [...readSite(repository.site)].sort() : []
  const history = sources.map((source) => source.commits.map(({ files, ...commit }) => [commit, ...files]))
  const parts = [repository, site, before, prompt, earlier, policy, history, graders, gold.steps]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

async function tryTask(
  deps: AttemptDeps,
  { task, repeat, model }: { task: Task; repeat: number; model: string },
  signal: AbortSignal,
): Promise<MeasuredAttempt> {
  try {
    const { attempt, base, usage, seconds, diff, refusedCalls } = await runAttempt(deps, { task, model }, signal)
    const { outcome, code, reason, title, body } = attempt
    const said = (outcome === 'changed' ? `${title}\n\n${body}` : reason).slice(0, 4_000)
    const common = { task: task.id, repeat, outcome, code, usage, seconds, refusedCalls: refusedCalls.length, said }
    if (code !== null && [...HOPELESS, OUTAGE].includes(code))
      return { ...common, verdict: 'unmeasured', reasons: [], diff: '' }
    const gold = applySteps(base, task.gold.steps)
    const reasons = gradeAttempt(task.graders, attempt, { base, gold, sources: task.sources })
    return reasons.length === 0
      ? { ...common, verdict: 'passed', reasons, diff: '' }
      : { ...common, verdict: 'failed', reasons, diff }
  } catch (error) {
    signal.throwIfAborted()
    return {
      task: task.id,
      repeat,
      verdict: 'unmeasured',
      outcome: 'none',
      code: error instanceof DeferredError ? 'model_rate_limited' : 'repository',
      reasons: [],
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0, turns: 0 },
      seconds: 0,
      refusedCalls: 0,
      diff: '',
      said: error instanceof Error ? error.message : 'unknown',
    }
  }
}

/**
 * Returns the value with every secret redacted in its strings. Ignores secrets shorter than 6
 * characters, which would match too often.
 */
export function redact<T>(value: T, secrets: readonly string[]): T {
  const known = secrets.filter((secret) => secret.length >= 6).map((secret) => JSON.stringify(secret).slice(1, -1))
  return JSON.parse(known.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), JSON.stringify(value)))
}

function formatLine({ task, repeat, verdict, outcome, code, reasons, usage, seconds, said }: MeasuredAttempt): string {
  const cost = usage.costUsd === null ? '' : ` $${usage.costUsd.toFixed(3)}`
  const why = verdict === 'failed' ? reasons : verdict === 'unmeasured' ? [said] : []
  const line = `${verdict} ${task} #${repeat} ${code ?? outcome}, ${usage.turns} turns${cost} ${seconds.toFixed(1)} s`
  return [line, ...why].join('\n       ')
}
