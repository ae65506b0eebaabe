import { parseArgs } from 'node:util'

export type QueueKind = 'redis' | 'postgres'
export type Part = 'cost' | 'idle' | 'scaling'

export interface BenchCall {
  readonly parts: readonly Part[]
  readonly queues: readonly QueueKind[]
  /** Numbers of files in the repositories. */
  readonly sizes: readonly number[]
  /** Measured jobs for each queue and repository. */
  readonly jobs: number
  /** Also prints the statements of a job. */
  readonly statements: boolean
  /** Additional Node arguments of the worker, such as `--cpu-prof`. */
  readonly nodeArgs: readonly string[]
}

export const USAGE = `Usage: pnpm bench job [options]

  --part NAME       cost, idle or scaling; repeatable; default: all
  --queue NAME      redis or postgres; repeatable; default: both
  --files N         files in the repository; repeatable; default: 100 and 2000
  --jobs N          measured jobs for each queue and repository; default: 40
  --statements      also prints the statements of a job
  --node-arg ARG    Node argument of the worker, such as --node-arg=--cpu-prof; repeatable`

const PARTS: readonly Part[] = ['cost', 'idle', 'scaling']
const QUEUES: readonly QueueKind[] = ['redis', 'postgres']

/** @returns `problem` for invalid arguments */
export function readCall(args: readonly string[]): BenchCall | 'help' | { readonly problem: string } {
  try {
    const many = { type: 'string', multiple: true } as const
    const { values } = parseArgs({
      args: [...args],
      options: {
        part: many,
        queue: many,
        files: many,
        'node-arg': many,
        jobs: { type: 'string', default: '40' },
        statements: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return 'help'
    return {
      parts: readNames('part', PARTS, values.part),
      queues: readNames('queue', QUEUES, values.queue),
      sizes: (values.files ?? ['100', '2000']).map((value) => readNumber('files', value)),
      jobs: readNumber('jobs', values.jobs),
      statements: values.statements,
      nodeArgs: values['node-arg'] ?? [],
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'The arguments are invalid.' }
  }
}

function readNames<T extends string>(option: string, known: readonly T[], values: readonly string[] = known): T[] {
  return values.map((value) => {
    const name = known.find((one) => one === value)
    if (name === undefined) throw new Error(`--${option} must be one of: ${known.join(', ')}.`)
    return name
  })
}

function readNumber(option: string, value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new Error(`--${option} must be a number.`)
  return Number(value)
}
