import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports CPU times in units of 10 ms. */
const TICK_MS = 10

interface Stat {
  readonly parent: number
  /** CPU time of the process and of its children that have ended. */
  readonly cpuMs: number
}

/** Returns the CPU time in ms that processes and their descendants have used so far. Linux only. */
export function readCpuMs(...pids: readonly number[]): number {
  const stats = readStats()
  const isInTree = (one: number): boolean => pids.includes(one) || (one > 1 && isInTree(stats.get(one)?.parent ?? 0))
  return [...stats].filter(([one]) => isInTree(one)).reduce((sum, [, { cpuMs }]) => sum + cpuMs, 0)
}

/** Returns the memory of a process in MiB: the resident set without pages that it only maps. */
export function readMemoryMib(pid: number): number {
  const kib = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

/** Returns the resident set of a process in MiB. */
export function readResidentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

function readStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // The second field, the program's name, may contain spaces.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number)
      const [, parent = 0] = fields
      const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0)
      stats.set(Number(name), { parent, cpuMs: ticks * TICK_MS })
    } catch {
      // The process has ended.
    }
  }
  return stats
}
