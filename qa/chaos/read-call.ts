import { parseArgs } from 'node:util'
import { PARTS, type PartName } from './parts/part.ts'
import type { QueueKind } from './stack/open-stack.ts'

export const USAGE = `Usage: pnpm qa chaos [random|points|zombies|recovery|soak|all] [options]

Kills, stops and disrupts the services while they run hundreds of jobs. Then checks that no job was lost or run twice.
  --queue redis|postgres|both   queue backend (default both)
  --seed N                      repeats a plan (default: a new seed, which is printed)
  --jobs N                      number of jobs (random, soak) or jobs per point (points)
  --workers N, --slots N        number of worker processes and of concurrent runs per worker
  --lease S                     lease duration in seconds
  --kills N                     number of kills (recovery)
  --pooler                      puts PgBouncer in transaction mode before Postgres
  --short                       fewer jobs and faults, for CI
  --json FILE                   also writes the results to this file`

export interface Call {
  readonly parts: readonly PartName[]
  readonly queues: readonly QueueKind[]
  /** Null selects a new seed. */
  readonly seed: number | null
  readonly jobs: number | null
  readonly workers: number | null
  readonly slots: number | null
  readonly leaseSeconds: number | null
  readonly kills: number | null
  readonly pooler: boolean
  readonly short: boolean
  readonly json: string | null
}

/** Reads the arguments of `pnpm qa chaos`. */
export function readCall(args: readonly string[]): Call | 'help' | { problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        queue: { type: 'string', default: 'both' },
        seed: { type: 'string' },
        jobs: { type: 'string' },
        workers: { type: 'string' },
        slots: { type: 'string' },
        lease: { type: 'string' },
        kills: { type: 'string' },
        pooler: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return 'help'
    return {
      parts: toParts(positionals),
      queues: toQueues(values.queue),
      seed: toNumber('--seed', values.seed),
      jobs: toNumber('--jobs', values.jobs),
      workers: toNumber('--workers', values.workers),
      slots: toNumber('--slots', values.slots),
      leaseSeconds: toNumber('--lease', values.lease),
      kills: toNumber('--kills', values.kills),
      pooler: values.pooler,
      short: values.short,
      json: values.json ?? null,
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function toParts(names: readonly string[]): PartName[] {
  if (names.length === 0 || names.includes('all')) return [...PARTS]
  return names.map((name) => {
    const part = PARTS.find((one) => one === name)
    if (!part) throw new Error(`Unknown part "${name}". Use ${PARTS.join(', ')} or all.`)
    return part
  })
}

function toQueues(name: string): QueueKind[] {
  if (name === 'both') return ['redis', 'postgres']
  if (name === 'redis' || name === 'postgres') return [name]
  throw new Error('--queue must be redis, postgres or both.')
}

function toNumber(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`${option} must be a whole number greater than 0.`)
  return number
}
