import type { JobCost, StatementCount } from './measure-cost.ts'
import type { IdleCost } from './measure-idle.ts'
import type { ScalingStep } from './measure-scaling.ts'

const row = (name: string, cells: readonly (string | number)[]) =>
  `  ${name.padEnd(34)}${cells.map((cell) => String(cell).padStart(12)).join('')}`

const ms = (value: number | null) => (value === null ? '-' : value.toFixed(1))

/** One column per repository size. */
export function formatCosts(costs: readonly JobCost[]): string {
  const of = (read: (cost: JobCost) => string) => costs.map(read)
  return [
    row(
      'per job',
      of(({ files }) => `${files} files`),
    ),
    row(
      'worker, CPU ms',
      of((cost) => ms(cost.workerCpuMs)),
    ),
    row(
      'git command line, CPU ms',
      of((cost) => ms(cost.gitCpuMs)),
    ),
    row(
      'worker / git',
      of((cost) => `${(cost.workerCpuMs / cost.gitCpuMs).toFixed(2)} x`),
    ),
    row(
      'API, CPU ms',
      of((cost) => ms(cost.apiCpuMs)),
    ),
    row(
      'Postgres, CPU ms',
      of((cost) => ms(cost.postgresCpuMs)),
    ),
    row(
      'Redis, CPU ms',
      of((cost) => ms(cost.redisCpuMs)),
    ),
    row(
      'statements, worker',
      of((cost) => ms(cost.statements.worker)),
    ),
    row(
      'statements, API',
      of((cost) => ms(cost.statements.api)),
    ),
    row(
      'round trips, worker',
      of((cost) => ms(cost.roundTrips.worker)),
    ),
    row(
      'round trips, API',
      of((cost) => ms(cost.roundTrips.api)),
    ),
    row(
      'written to Postgres (WAL), kB',
      of((cost) => ms(cost.walBytes / 1000)),
    ),
  ].join('\n')
}

export function formatStatements(list: readonly StatementCount[]): string {
  return list
    .filter(({ calls }) => calls >= 0.05)
    .map(
      ({ service, query, calls }) => `    ${calls.toFixed(2).padStart(6)}  ${service.padEnd(7)} ${query.slice(0, 150)}`,
    )
    .join('\n')
}

export function formatIdle(costs: readonly IdleCost[]): string {
  return [
    row('idle', ['CPU ms/s', 'statements/s', 'RSS MiB', 'anonymous']),
    ...costs.map(({ name, cpuMsPerSecond, statementsPerSecond, residentMib, memoryMib }) =>
      row(name, [
        cpuMsPerSecond.toFixed(1),
        statementsPerSecond?.toFixed(2) ?? '-',
        ...[residentMib, memoryMib].map(toMib),
      ]),
    ),
  ].join('\n')
}

const toMib = (mib: number) => mib.toFixed(0)

export function formatScaling(steps: readonly ScalingStep[]): string {
  return [
    row('model that takes 2 s', ['jobs/min', 'of linear', 'busy cores']),
    ...steps.map(({ workers, jobsPerMinute, efficiency, busyCores }) =>
      row(`${workers} worker${workers === 1 ? '' : 's'}`, [
        jobsPerMinute.toFixed(1),
        efficiency.toFixed(2),
        busyCores.toFixed(2),
      ]),
    ),
  ].join('\n')
}
