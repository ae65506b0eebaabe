import type { Answer } from './open-apis.ts'

/** Returns one line: how often each response occurred, and how long the responses took. */
export function describeAnswers(name: string, answers: readonly Answer[]): string {
  const counts = new Map<string, number>()
  for (const { status, code } of answers) {
    const kind = code === null ? String(status) : `${status} ${code}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0)
  const list = [...counts].sort().map(([kind, count]) => `${count} × ${kind}`)
  return `${name}: ${list.join(', ')}; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`
}
