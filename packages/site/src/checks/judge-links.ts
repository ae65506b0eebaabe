import type { WorkspaceChange } from '@corrigenda/git/workspace'
import type { PageContent } from '../pages/page-content.ts'
import type { Problem } from '../pages/problem.ts'
import { findLinkProblems, type LinkReading } from './find-link-problems.ts'
import type { LinkPast } from './link-past.ts'
import type { Base } from './read-base.ts'
import type { Now } from './read-now.ts'

export interface JudgedLinks {
  readonly before: readonly Problem[]
  readonly after: readonly Problem[]
  /** Readings of the current state, keyed by page. */
  readonly readings: ReadonlyMap<string, LinkReading>
}

/** Number of pages processed between two yields to the event loop. */
const PAGES_PER_TURN = 20

/**
 * Returns link problems before and after a change, in the changed pages and in pages that the
 * change may have broken indirectly. The latter link to a removed file or reference an id on an
 * edited page. With `everything`, covers all pages.
 */
export async function judgeLinks(
  base: Base,
  now: Now,
  changes: readonly WorkspaceChange[],
  past: LinkPast,
  everything: boolean,
): Promise<JudgedLinks> {
  const before: Problem[] = []
  const after: Problem[] = []
  const readings = new Map<string, LinkReading>()
  const add = (page: string, reading: LinkReading) => {
    readings.set(page, reading)
    after.push(...reading.problems)
  }
  const affected = findAffected(base, now, changes)
  let judged = 0
  const judge = async (page: string, content: PageContent) => {
    judged += 1
    if (judged % PAGES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    add(page, base.summary.decide(page, findLinkProblems(now, page, content, past)))
  }
  for (const { path } of changes) before.push(...(base.readings.get(path)?.problems ?? []))
  for (const [page, content] of now.changed) if (content !== null) await judge(page, content)
  for (const [page, reading] of base.readings) {
    if (now.changed.has(page)) continue
    const again = affected === 'all' || affected.has(page)
    if (!again && !everything) continue
    before.push(...reading.problems)
    const content = base.contentOf(page)
    if (!again) add(page, reading)
    else if (content !== undefined) await judge(page, content)
  }
  return { before, after, readings }
}

function findAffected(base: Base, now: Now, changes: readonly WorkspaceChange[]): ReadonlySet<string> | 'all' {
  if (now.readdressed) return 'all'
  const affected = new Set<string>()
  const add = (pages: readonly string[] | undefined) => {
    for (const page of pages ?? []) affected.add(page)
  }
  for (const path of now.moved) add(base.linking.get(path))
  for (const [path, content] of now.changed)
    if (hasLostAnchors(base.contentOf(path), content)) add(base.anchoring.get(path))
  // A broken link may now resolve, and a redirected one may no longer resolve.
  const added = changes.some((change) => change.kind === 'added')
  for (const [page, reading] of base.readings) {
    if ((added || now.redirectsChanged) && reading.problems.length > 0) affected.add(page)
    if (now.redirectsChanged && reading.redirected) affected.add(page)
    if (now.moved.size > 0 && reading.folders) affected.add(page)
  }
  return affected
}

function hasLostAnchors(before: PageContent | undefined, after: PageContent | null): boolean {
  if (before === undefined) return false
  if (after === null || before.moreAnchors !== after.moreAnchors) return true
  const left = new Set(after.anchors)
  return before.anchors.some((anchor) => !left.has(anchor))
}
