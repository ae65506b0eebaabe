import { parseArgs } from 'node:util'
import type { MeasureCall } from './measure/measure-call.ts'
import { FAMILIES } from './task/task.ts'
import { CallError, type TaskChoice } from './task/task-choice.ts'

export const USAGE = `Usage: pnpm qa eval [options]            evaluates a model on tasks (requires a model, see docs/evaluation.md)
       pnpm qa eval --ci                 checks that correct answers pass and wrong answers fail (requires no model)
       pnpm qa eval --list               lists the tasks
       pnpm qa eval --compare A B        compares two results files for the same tasks

Task selection
  --tasks GLOB                tasks with a matching id, such as 'rename/*'
  --family F                  ${FAMILIES.join(', ')}
  --split train|held-out
  --task-file FILE            custom tasks (JSON) instead of the built-in tasks
  --repository-cache DIR      folder for fetched repositories (default: a temporary folder)

Measurement
  --model M                   model id (default: MODEL, then claude-sonnet-5-5)
  --repeat N                  attempts per task (default 1)
  --concurrency N             concurrent attempts (default 2)
  --max-cost USD|none         starts no attempt that could exceed this total (default 10)
  --max-cost-per-attempt USD  limit per attempt (default: MAX_COST_USD, then 2)

Output
  --json FILE                 writes the results after every attempt
  --resume FILE               resumes an incomplete results file and writes to it
  --report FILE               writes a Markdown report with the diffs of failed attempts`

export type Call =
  | { readonly do: 'help' }
  | { readonly do: 'list'; readonly choice: TaskChoice }
  | { readonly do: 'ci'; readonly choice: TaskChoice; readonly cacheDir: string | null }
  | { readonly do: 'compare'; readonly files: readonly [string, string]; readonly report: string | null }
  | MeasureCall

const text = { type: 'string' } as const
const on = { type: 'boolean', default: false } as const

/**
 * Reads the arguments of `pnpm qa eval`.
 * @throws CallError
 */
export function readCall(args: readonly string[]): Call {
  const { values, positionals } = parse(args)
  if (values.help) return { do: 'help' }
  const choice: TaskChoice = {
    glob: values.tasks ?? null,
    family: toOneOf('--family', values.family, FAMILIES),
    split: toOneOf('--split', values.split, ['train', 'held-out'] as const),
    file: values['task-file'] ?? null,
  }
  const report = values.report ?? null
  if (values.compare) {
    const [a, b, ...rest] = positionals
    if (a === undefined || b === undefined || rest.length > 0)
      throw new CallError('--compare requires two results files.')
    return { do: 'compare', files: [a, b], report }
  }
  if (positionals.length > 0) throw new CallError(`${positionals[0]} is not an option. Options start with --.`)
  const cacheDir = values['repository-cache'] ?? null
  if (values.list) return { do: 'list', choice }
  if (values.ci) return { do: 'ci', choice, cacheDir }
  const { json = null, resume = null } = values
  if (json !== null && resume !== null && json !== resume) {
    throw new CallError('--resume writes to the resumed file. Omit --json.')
  }
  return {
    do: 'measure',
    choice,
    cacheDir,
    model: values.model ?? null,
    repeat: toCount('--repeat', values.repeat, 1),
    concurrency: toCount('--concurrency', values.concurrency, 2),
    maxCostUsd: values['max-cost'] === 'none' ? null : toDollars('--max-cost', values['max-cost'] ?? '10'),
    maxCostPerAttemptUsd:
      values['max-cost-per-attempt'] === undefined
        ? null
        : toDollars('--max-cost-per-attempt', values['max-cost-per-attempt']),
    json,
    resume,
    report,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ci: on,
        list: on,
        compare: on,
        help: { ...on, short: 'h' },
        tasks: text,
        family: text,
        split: text,
        'task-file': text,
        'repository-cache': text,
        model: text,
        repeat: text,
        concurrency: text,
        'max-cost': text,
        'max-cost-per-attempt': text,
        json: text,
        resume: text,
        report: text,
      },
    })
  } catch (error) {
    throw new CallError(error instanceof Error ? error.message : String(error))
  }
}

function toOneOf<T extends string>(option: string, value: string | undefined, known: readonly T[]): T | null {
  if (value === undefined) return null
  const found = known.find((one) => one === value)
  if (found === undefined) throw new CallError(`${option} must be one of ${known.join(', ')}.`)
  return found
}

function toCount(option: string, value: string | undefined, otherwise: number): number {
  const count = value === undefined ? otherwise : Number(value)
  if (!Number.isInteger(count) || count < 1 || count > 1000)
    throw new CallError(`${option} must be a whole number from 1 to 1000.`)
  return count
}

function toDollars(option: string, value: string): number {
  const dollars = Number(value)
  if (!Number.isFinite(dollars) || dollars <= 0)
    throw new CallError(`${option} must be an amount in US dollars, such as 2.50.`)
  return dollars
}
