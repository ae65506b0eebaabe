import { applySteps } from '../gold/apply-steps.ts'
import { gradeAttempt } from '../grade/grade-attempt.ts'
import { type AttemptDeps, DeferredError, runAttempt } from '../run/run-attempt.ts'
import { readSourceTrees } from '../task/read-source-trees.ts'
import type { Task } from '../task/task.ts'
import { openBudget } from './budget.ts'
import type { MeasuredAttempt } from './results.ts'

export interface MeasurementInput {
  readonly tasks: readonly Task[]
  readonly repeat: number
  readonly model: string
  readonly concurrency: number
  /** In US dollars. Null for no limit. */
  readonly maxCostUsd: number | null
  /** Attempts from an earlier call. */
  readonly done: readonly MeasuredAttempt[]
}

export interface MeasurementDeps extends AttemptDeps {
  /** Called and awaited after each attempt, so that it is saved before the next one starts. */
  readonly onAttempt: (attempt: MeasuredAttempt, task: Task) => void | Promise<void>
}

/** Permanent model API errors. Every further attempt would fail the same way. */
const HOPELESS = new Set(['model_unauthorized', 'model_billing', 'model_not_found', 'model_bad_request'])
/** Temporary outages. Attempts that end with these codes are unmeasured. */
const OUTAGES = new Set(['model_unavailable'])
/** The measurement stops after this many consecutive unmeasured attempts. */
const MAX_UNMEASURED = 3

/**
 * Runs the missing attempts concurrently. Returns the reason if it stops early, or null if all
 * attempts were made. An attempt starts only if its maximum cost is within the limit.
 */
export async function runMeasurement(
  deps: MeasurementDeps,
  input: MeasurementInput,
  signal: AbortSignal,
): Promise<string | null> {
  const { tasks, repeat, done, maxCostUsd } = input
  const isDone = (task: Task, n: number) => done.some((one) => one.task === task.id && one.repeat === n)
  const missing = Array.from({ length: repeat }, (_, index) => index + 1)
    .flatMap((n) => tasks.map((task) => ({ task, n })))
    .filter(({ task, n }) => !isDone(task, n))
  const spent = done.reduce((sum, { usage }) => sum + (usage.costUsd ?? 0), 0)
  const budget = openBudget({ limit: maxCostUsd, spent, perAttempt: deps.budgets.maxCostUsd })
  let stopped: string | null = null
  let unmeasured = 0

  const work = async (): Promise<void> => {
    while (stopped === null && !signal.aborted) {
      const next = missing[0]
      if (next === undefined) return
      if (!(await budget.take())) {
        stopped ??= `The next attempt could exceed the limit of ${maxCostUsd} US dollars. Spent so far: ${budget.spent().toFixed(2)}.`
        return
      }
      // During the wait, another worker may have taken the attempt or stopped the measurement.
      if (stopped !== null || missing[0] === undefined) return budget.put(0)
      const { task, n } = missing.shift() ?? next
      const attempt = await measure(deps, { task, repeat: n, model: input.model }, signal).catch((error: unknown) => {
        budget.put(0)
        throw error
      })
      budget.put(attempt.usage.costUsd ?? 0)
      unmeasured = attempt.verdict === 'unmeasured' ? unmeasured + 1 : 0
      await deps.onAttempt(attempt, task)
      if (HOPELESS.has(attempt.code ?? '') || unmeasured >= MAX_UNMEASURED)
        stopped ??= `${attempt.code}: ${attempt.said}`
    }
  }
  // Waits for all workers before their resources are closed.
  const ends = await Promise.allSettled(Array.from({ length: input.concurrency }, work))
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken !== undefined && !signal.aborted) throw broken.reason
  return signal.aborted ? 'Stopped by a signal.' : stopped
}

async function measure(
  deps: AttemptDeps,
  { task, repeat, model }: { task: Task; repeat: number; model: string },
  signal: AbortSignal,
): Promise<MeasuredAttempt> {
  const facts = { task: task.id, repeat }
  try {
    const { attempt, base, usage, seconds, diff, refusedCalls } = await runAttempt(deps, { task, model }, signal)
    const { outcome, code, reason, title, body } = attempt
    const said = (outcome === 'changed' ? `${title}\n\n${body}` : reason).slice(0, 4_000)
    const common = { ...facts, outcome, code, usage, seconds, refusedCalls: refusedCalls.length, said }
    if (code !== null && (HOPELESS.has(code) || OUTAGES.has(code))) {
      return { ...common, verdict: 'unmeasured', reasons: [], diff: '' }
    }
    const gold = applySteps(base, task.gold.steps)
    const sources = readSourceTrees(task)
    const reasons = gradeAttempt(task.graders, attempt, { base, gold, sources }).map(({ why }) => why)
    const passed = reasons.length === 0
    return { ...common, verdict: passed ? 'passed' : 'failed', reasons, diff: passed ? '' : diff }
  } catch (error) {
    signal.throwIfAborted()
    const code = error instanceof DeferredError ? 'model_rate_limited' : 'repository'
    const said = error instanceof Error ? error.message : 'unknown'
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0, turns: 0 }
    return {
      ...facts,
      verdict: 'unmeasured',
      outcome: 'none',
      code,
      reasons: [],
      usage,
      seconds: 0,
      refusedCalls: 0,
      diff: '',
      said,
    }
  }
}
