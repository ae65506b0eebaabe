import { listStatements, type StatementCount } from './measure-cost.ts'
import type { BenchStack } from './open-bench-stack.ts'
import { readCpuMs, readMemoryMib, readResidentMib } from './read-cpu.ts'

export interface IdleCost {
  readonly name: 'API' | 'worker' | 'Postgres' | 'Redis'
  readonly cpuMsPerSecond: number
  /** Null for the servers. */
  readonly statementsPerSecond: number | null
  /** Resident set, and its part that is not mapped from files, in MiB. */
  readonly residentMib: number
  readonly memoryMib: number
}

const SETTLE_MS = 5_000
const SECONDS = 20

/** Measures what the services cost while there is no work. */
export async function measureIdle(
  stack: BenchStack,
  workerPid: number,
): Promise<{ costs: IdleCost[]; list: StatementCount[] }> {
  const { pids, database } = stack
  const processes: [IdleCost['name'], number][] = [
    ['API', pids.api],
    ['worker', workerPid],
    ['Postgres', pids.postgres],
    ...(pids.redis === null ? [] : ([['Redis', pids.redis]] as [IdleCost['name'], number][])),
  ]
  await wait(SETTLE_MS)
  await database.query('SELECT pg_stat_statements_reset()')
  const before = processes.map(([, pid]) => readCpuMs(pid))
  await wait(SECONDS * 1000)
  const after = processes.map(([, pid]) => readCpuMs(pid))
  const list = await listStatements(stack)
  const count = (service: string) =>
    list.filter((one) => one.service === service.toLowerCase()).reduce((sum, { calls }) => sum + calls, 0) / SECONDS
  const costs = processes.map(([name, pid], index) => ({
    name,
    cpuMsPerSecond: ((after[index] ?? 0) - (before[index] ?? 0)) / SECONDS,
    statementsPerSecond: name === 'API' || name === 'worker' ? count(name) : null,
    residentMib: readResidentMib(pid),
    memoryMib: readMemoryMib(pid),
  }))
  return { costs, list: list.map((one) => ({ ...one, calls: one.calls / SECONDS })) }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
