import type { Fault } from './fault.ts'
import { type SiteChange, toNewPath } from './site-change.ts'

/** Compares what every link of every page leads to before and after the change. */
export function compareLinks(change: SiteChange): Fault[] {
  const { before, after } = change
  const faults: Fault[] = []
  for (const page of before.pages.values()) {
    const path = toNewPath(change, page.path)
    if (path === null || before.navigation.includes(page.path)) continue
    const now = after.pages.get(path)
    if (now === undefined || now.links.length !== page.links.length) {
      faults.push({
        kind: 'damage',
        file: path,
        line: null,
        message: `${page.links.length} links became ${now?.links.length ?? 0}`,
      })
      continue
    }
    const [old, fresh] = [before.targets.get(page.path) ?? [], after.targets.get(path) ?? []]
    for (const [at, link] of now.links.entries()) {
      const target = old[at] ?? null
      if (target === null) continue
      const expected = toNewPath(change, target.file)
      const found = fresh[at] ?? null
      const report = (kind: Fault['kind'], message: string) =>
        faults.push({ kind, file: path, line: link.line, message: `${page.links[at]?.href} → ${link.href} ${message}` })
      if (expected === null) continue
      if (found === null) report('stale', `no longer leads to ${expected}`)
      else if (found.file !== expected) report('stale', `leads to ${found.file} instead of ${expected}`)
      else if (found.anchor !== target.anchor) report('damage', 'has another anchor')
    }
  }
  return faults
}
