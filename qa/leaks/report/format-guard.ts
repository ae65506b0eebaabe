import type { GuardMeasurement } from '../measure/measure-guard.ts'

export function formatGuard({ files, bytes, cpuMs, wallMs, blockMs, peakBytes }: GuardMeasurement): string {
  const mib = (count: number) => `${(count / 1024 / 1024).toFixed(0)} MiB`
  const rate = bytes / 1024 / 1024 / (cpuMs / 1000)
  return [
    `${files} files, ${mib(bytes)}: ${(cpuMs / 1000).toFixed(1)} s of CPU time (${rate.toFixed(0)} MiB/s)`,
    `${(wallMs / 1000).toFixed(1)} s with the generation of the files, longest turn ${blockMs.toFixed(0)} ms of CPU time, memory +${mib(peakBytes)}`,
  ].join('; ')
}
