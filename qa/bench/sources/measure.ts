import { readFileSync, writeFileSync } from 'node:fs'

export interface Phase {
  readonly name: string
  readonly wallMs: number
  /** CPU time of the process and its ended children. */
  readonly cpuMs: number
  /** Largest resident memory of the process during the phase. */
  readonly peakBytes: number
}

/** Runs work and measures it. Linux only. */
export async function measure<T>(name: string, work: () => Promise<T>): Promise<{ phase: Phase; result: T }> {
  // Resets the peak.
  writeFileSync('/proc/self/clear_refs', '5')
  const cpu = readCpuMs()
  const start = performance.now()
  const result = await work()
  const wallMs = performance.now() - start
  return { result, phase: { name, wallMs, cpuMs: readCpuMs() - cpu, peakBytes: readPeak('self') } }
}

/** Returns the largest resident memory of a process since its last reset; 0 if it has ended. */
export function readPeak(pid: number | 'self'): number {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Returns the process ids of the children of a process. */
export function listChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The kernel counts in hundredths of a second. The fields after the name start with the third. */
function readCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}
