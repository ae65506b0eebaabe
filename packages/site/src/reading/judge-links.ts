import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { WorkspaceChange } from '../workspace/workspace.ts'
import { findLinkProblems, findScannedProblems, type LinkReading } from './find-link-problems.ts'
import type { LinkPast } from './link-side.ts'
import type { Problem } from './problem.ts'
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
 * change may have broken or fixed indirectly: a link resolves differently, or refers to an id on an
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
  const affected = await findAffected(base, now, changes)
  const yieldTurn = buildTurns()
  const judge = async (page: string) => {
    await yieldTurn()
    const reading = await base.pages.read(() => {
      const content = now.contentOf(page)
      return content === undefined ? null : findLinkProblems(now, page, content, past)
    })
    if (reading !== null) add(page, await base.summary.decide(page, reading))
  }
  const pages = everything ? [...base.scanned.keys()] : [...affected]
  await base.pages.load([...pages, ...changes.map(({ path }) => path)])
  for (const { path } of changes) before.push(...(await base.readLinks(path)).problems)
  for (const [page, content] of now.changed) if (content !== null) await judge(page)
  for (const page of pages) {
    if (now.changed.has(page)) continue
    await yieldTurn()
    const reading = await base.readLinks(page)
    before.push(...reading.problems)
    if (affected.has(page)) await judge(page)
    else add(page, reading)
  }
  return { before, after, readings }
}

/** Returns the unedited pages that may have other link problems than in the base commit. */
async function findAffected(base: Base, now: Now, changes: readonly WorkspaceChange[]): Promise<ReadonlySet<string>> {
  const lost = await base.pages.read(() =>
    [...now.changed].flatMap(([path, content]) => (hasLostAnchors(base.contentOf(path), content) ? [path] : [])),
  )
  const affected = new Set(lost.flatMap((path) => base.anchoring.get(path) ?? []))
  const yieldTurn = buildTurns()
  for (const page of listCandidates(base, now, changes)) {
    const [before, scan] = [base.scanned.get(page), base.pages.scans.get(page)]
    if (affected.has(page) || before === undefined || scan === undefined) continue
    await yieldTurn()
    if (JSON.stringify(before) !== JSON.stringify(findScannedProblems(now.index, page, scan))) affected.add(page)
  }
  return affected
}

/** Returns the pages with links that may resolve differently. */
function listCandidates(base: Base, now: Now, changes: readonly WorkspaceChange[]): Iterable<string> {
  if (now.readdressed) return base.scanned.keys()
  const candidates = new Set([...now.moved].flatMap((path) => base.linking.get(path) ?? []))
  // A broken link may now resolve, and a redirected one may no longer resolve.
  const added = changes.some((change) => change.kind === 'added')
  for (const [page, reading] of base.scanned) {
    const parts = [reading.shown, reading.hidden]
    const isOpen = parts.some(({ problems, doubtful }) => problems.length + doubtful.length > 0)
    if ((added || now.redirectsChanged) && isOpen) candidates.add(page)
    if (now.redirectsChanged && parts.some(({ redirected }) => redirected)) candidates.add(page)
    if (now.moved.size > 0 && parts.some(({ folders }) => folders)) candidates.add(page)
  }
  return candidates
}

/** Returns a function to call for each page. It yields to the event loop after several pages. */
function buildTurns(): () => Promise<void> {
  let pages = 0
  return async () => {
    pages += 1
    if (pages % PAGES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

function hasLostAnchors(before: PageContent | undefined, after: PageContent | null): boolean {
  if (before === undefined) return false
  if (after === null || before.moreAnchors !== after.moreAnchors) return true
  if (toSources(after) !== toSources(before)) return true
  const left = new Set(after.anchors)
  return before.anchors.some((anchor) => !left.has(anchor))
}

function toSources({ idSources, idIncludes }: PageContent): string {
  return JSON.stringify([idSources, idIncludes.map(({ notation, href }) => [notation, href])])
}

/** Returns the problems with the given codes. */
export function pickIssues(links: JudgedLinks, ...codes: readonly string[]) {
  const isOwn = ({ code }: Problem) => codes.includes(code)
  return { before: links.before.filter(isOwn), after: links.after.filter(isOwn) }
}

/**
 * Returns the links or images that could not be judged, because the files of the site do not
 * determine its URLs.
 */
export function findDoubtful(sites: readonly Site[], { readings }: JudgedLinks, name: 'links' | 'images') {
  const counts = new Map<Site | null, number>()
  for (const [page, { doubtful }] of readings) {
    const count = doubtful.filter(({ problem }) => (problem.code === 'image_missing') === (name === 'images')).length
    if (count === 0) continue
    const found = findSite(sites, page)
    const site = findContent(found, page) === null || found.config === null ? null : found
    counts.set(site, (counts.get(site) ?? 0) + count)
  }
  if (counts.size === 0) return null
  const reasons = [...counts].map(([site, count]) =>
    site === null
      ? `${toCount(count, name)} in files outside all sites ${toVerb(count)} not checked, because other such ${name} do not lead to files either.`
      : `${toCount(count, name)} in ${toPlace(site)} ${toVerb(count)} not checked, because its configuration may generate pages or change URLs.`,
  )
  return { isPartial: false, reasons }
}

export function toPlace(site: Site): string {
  return site.root === '' ? `the ${site.framework.title} site` : `the ${site.framework.title} site in ${site.root}`
}

export function toCount(count: number, things: string): string {
  return count === 1 ? `1 ${things.replace(/s$/, '')}` : `${count} ${things}`
}

export function toVerb(count: number): string {
  return count === 1 ? 'was' : 'were'
}
