import type { HostState } from './host/host-state.ts'
import type { HostStats } from './host/types.ts'

/** Returns the host's statistics, for assertions in tests. */
export function toStats({ requests, refUpdates, records }: HostState): HostStats {
  const heads = [...records].flatMap(([full, { pulls }]) => pulls.map((pull) => `${full}:${pull.headRef}`))
  const perHead = countEach(heads)
  return {
    requests: requests.length,
    operations: countEach(requests.map((request) => request.op)),
    duplicates: Object.fromEntries(Object.entries(perHead).filter(([, count]) => count > 1)),
    refUpdates: [...refUpdates],
    forced: refUpdates.filter((update) => update.forced),
    unknown: requests.filter((request) => request.op === 'unknown').map(({ method, path }) => `${method} ${path}`),
    unauthorized: requests.filter((request) => request.status === 401).length,
  }
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
