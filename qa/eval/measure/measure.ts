import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildChecker, HARNESS_VERSION } from '@corrigenda/worker/parts'
import type { Model } from '../run/load-model.ts'
import { openRepositories, type RepositoriesOptions } from '../run/open-repositories.ts'
import type { Task } from '../task/task.ts'
import { CallError } from '../task/task-choice.ts'
import { formatReport, formatSummary } from './format-report.ts'
import { hashTask } from './hash-task.ts'
import type { MeasureCall } from './measure-call.ts'
import { redactSecrets } from './redact-secrets.ts'
import type { MeasuredAttempt, Results } from './results.ts'
import { readResults, saveResults } from './results-file.ts'
import { runMeasurement } from './run-measurement.ts'

export interface MeasureDeps extends Pick<RepositoriesOptions, 'sites' | 'coldBuild' | 'credential'> {
  readonly model: Model
  readonly say: (line: string) => void
  readonly now?: () => Date
}

/**
 * Measures a model on tasks, resumes an earlier measurement if requested, and writes the results.
 * Redacts credentials in all output.
 * @throws CallError if the call does not match the tasks, the prices or the file to resume
 */
export async function measure(
  deps: MeasureDeps,
  { call, tasks }: { call: MeasureCall; tasks: readonly Task[] },
  signal: AbortSignal,
): Promise<Results> {
  const { model, say } = deps
  const id = call.model ?? model.model
  const maxCostUsd = call.maxCostUsd
  if (maxCostUsd !== null && !Object.hasOwn(model.prices, id)) {
    throw new CallError(
      `The price of ${id} is unknown, so its cost cannot be limited. Set the price in MODELS, or use --max-cost none.`,
    )
  }
  const perAttempt = Math.min(
    call.maxCostPerAttemptUsd ?? model.budgets.maxCostUsd,
    (maxCostUsd ?? Number.POSITIVE_INFINITY) / 1.25,
  )
  const file = call.resume ?? call.json
  const former = call.resume === null ? null : await readResults(call.resume)
  let results = toStart(deps, { call, tasks, id, former })
  let saving: Promise<void> = Promise.resolve()
  const root = await mkdtemp(join(tmpdir(), 'corrigenda-eval-'))
  try {
    const { sites, coldBuild, credential } = deps
    const cacheDir = call.cacheDir ?? join(root, 'fetched')
    await using repositories = await openRepositories({ root, cacheDir, sites, coldBuild, credential })
    const { callModel, prices, toModelOptions } = model
    const secrets = [...model.secrets, ...(credential === null ? [] : [credential.token])]
    const budgets = { ...model.budgets, maxCostUsd: perAttempt }
    const onAttempt = async (attempt: MeasuredAttempt) => {
      results = { ...results, attempts: [...results.attempts, redactSecrets(attempt, secrets)] }
      say(redactSecrets(formatLine(attempt), secrets))
      if (file === null) return
      // Attempts can end at the same time, so writes are serialized.
      saving = saving.then(() => saveResults(file, results))
      await saving
    }
    const stopped = await runMeasurement(
      {
        repositories,
        checker: buildChecker(),
        callModel,
        prices,
        toModelOptions,
        knownSecrets: secrets,
        budgets,
        onAttempt,
      },
      { tasks, model: id, maxCostUsd, repeat: call.repeat, concurrency: call.concurrency, done: results.attempts },
      signal,
    )
    results = { ...results, stopped: redactSecrets(stopped, secrets) }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
  if (file !== null) await saveResults(file, results)
  if (call.report !== null) await writeFile(call.report, formatReport(results))
  say(`\n${formatSummary(results)}`)
  if (results.stopped !== null)
    say(`\nIncomplete. ${results.stopped}${file === null ? '' : ` Continue with --resume ${file}`}`)
  return results
}

/** Returns an empty measurement, or the earlier measurement of the same tasks. */
function toStart(
  deps: MeasureDeps,
  { call, tasks, id, former }: { call: MeasureCall; tasks: readonly Task[]; id: string; former: Results | null },
): Results {
  const startedAt = former?.startedAt ?? (deps.now ?? (() => new Date()))().toISOString()
  const described = tasks.map((task) => ({
    id: task.id,
    family: task.family,
    split: task.split,
    hash: hashTask(task, deps.sites),
  }))
  const facts = { version: 1 as const, model: id, harness: HARNESS_VERSION, repeat: call.repeat, tasks: described }
  if (former === null) return { ...facts, startedAt, attempts: [], stopped: null }
  const toKey = ({ tasks: list }: Pick<Results, 'tasks'>) =>
    list
      .map(({ id, hash }) => `${id} ${hash}`)
      .sort()
      .join()
  const other =
    former.model !== id
      ? 'a different model'
      : former.harness !== HARNESS_VERSION
        ? 'a different harness version'
        : former.repeat !== call.repeat
          ? 'a different number of repeats'
          : toKey(former) !== toKey(facts)
            ? 'different tasks or task versions'
            : null
  if (other !== null) throw new CallError(`${call.resume} was measured with ${other}. Start a new file with --json.`)
  // Unmeasured attempts are retried.
  return { ...former, attempts: former.attempts.filter(({ verdict }) => verdict !== 'unmeasured'), stopped: null }
}

function formatLine({ task, repeat, verdict, outcome, code, reasons, usage, seconds, said }: MeasuredAttempt): string {
  const cost = usage.costUsd === null ? '' : ` $${usage.costUsd.toFixed(3)}`
  const stats = `${usage.turns} ${usage.turns === 1 ? 'turn' : 'turns'}${cost} ${seconds.toFixed(1)} s`
  const why = verdict === 'passed' ? '' : `\n       ${verdict === 'failed' ? reasons.join('\n       ') : said}`
  return `${verdict === 'passed' ? 'pass  ' : verdict === 'failed' ? 'FAIL  ' : 'none  '} ${task} #${repeat} ${code ?? outcome}, ${stats}${why}`
}
