import { parseArgs } from 'node:util'
import { CallError } from '../read-yaml.ts'
import type { MeasureCall } from './measure/measure.ts'
import type { TaskChoice } from './task/read-tasks.ts'

export const USAGE = `Usage: pnpm qa eval [options]            evaluates a model on tasks (requires a model, see docs/evaluation.md)
       pnpm qa eval --ci                 checks that correct answers pass and wrong answers fail (requires no model)
       pnpm qa eval --list               lists the tasks
       pnpm qa eval --compare A B        compares two results files for the same tasks

Task selection
  --tasks GLOB                tasks with a matching id, such as 'rename/*'
  --split train|held-out
  --task-folder DIR           custom tasks, DIR/FAMILY/NAME.yaml, instead of the built-in tasks
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

type Call =
  | { readonly do: 'help' }
  | { readonly do: 'list'; readonly choice: TaskChoice }
  | { readonly do: 'ci'; readonly choice: TaskChoice; readonly cacheDir: string | null }
  | { readonly do: 'compare'; readonly files: readonly [string, string] }
  | ({ readonly do: 'measure'; readonly choice: TaskChoice } & MeasureCall)

const text = { type: 'string' } as const
const on = { type: 'boolean', default: false } as const

/**
 * Reads the arguments of `pnpm qa eval`.
 * @throws CallError
 */
export function readCall(args: readonly string[]): Call {
  const { values, positionals } = parse(args)
  const { tasks: glob = null, split = null, 'task-folder': folder = null, json = null, resume = null } = values
  if (values.help) return { do: 'help' }
  if (values.compare) {
    const [a, b, ...rest] = positionals
    if (a === undefined || b === undefined || rest.length > 0)
      throw new CallError('--compare requires two results files.')
    return { do: 'compare', files: [a, b] }
  }
  if (positionals.length > 0) throw new CallError(`${positionals[0]} is not an option. Options start with --.`)
  if (split !== null && split !== 'train' && split !== 'held-out')
    throw new CallError('--split must be train or held-out.')
  const choice: TaskChoice = { glob, split, folder }
  const cacheDir = values['repository-cache'] ?? null
  if (values.list) return { do: 'list', choice }
  if (values.ci) return { do: 'ci', choice, cacheDir }
  if (json !== null && resume !== null && json !== resume)
    throw new CallError('--resume writes to the resumed file. Omit --json.')
  const perAttempt = values['max-cost-per-attempt']
  return {
    do: 'measure',
    choice,
    cacheDir,
    model: values.model ?? null,
    repeat: toCount('--repeat', values.repeat),
    concurrency: toCount('--concurrency', values.concurrency),
    maxCostUsd: values['max-cost'] === 'none' ? null : toDollars('--max-cost', values['max-cost']),
    maxCostPerAttemptUsd: perAttempt === undefined ? null : toDollars('--max-cost-per-attempt', perAttempt),
    json,
    resume,
    report: values.report ?? null,
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
        split: text,
        'task-folder': text,
        'repository-cache': text,
        model: text,
        repeat: { ...text, default: '1' },
        concurrency: { ...text, default: '2' },
        'max-cost': { ...text, default: '10' },
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

function toCount(option: string, value: string): number {
  const count = Number(value)
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
