import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isNameArea } from '../links/is-generated.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { isBelow, toInner } from '../pages/paths.ts'
import type { PageScan } from '../pages/scan-page.ts'
import type { CheckerLimits } from './checker-limits.ts'
import { findDeadEntries } from './find-dead-entries.ts'
import type { DoubtfulLink, LinkReading, OpenAnchor } from './find-link-problems.ts'
import { type AnchorJudgeInput, buildAnchorJudge } from './judge-anchors.ts'
import type { Problem } from './problem.ts'
import { buildGroup, type Counts, type PageCounts, type SiteGroup, toCounted } from './site-group.ts'

/** References of one kind, most of which do not resolve in the base commit. */
export interface Unreliable {
  /** What the references have in common, as part of a sentence. */
  readonly cause: string
  readonly broken: number
  /** Number of references of the same site and kind. */
  readonly judged: number
}

/**
 * How well the checks understand the sites of a base commit. Each group of pages is counted when it
 * is first needed.
 */
export interface SiteSummary {
  /**
   * Returns true if a page's site has no pages without files, as far as the links of the base
   * commit show.
   */
  isUnderstood(page: string): Promise<boolean>
  /**
   * Turns doubtful links and open anchors into problems if the site is understood. Links to folders
   * that other links of the base commit lead to, but no page is in, remain doubtful.
   */
  decide(page: string, reading: LinkReading): Promise<LinkReading>
  /** Returns why a problem can only be advisory, or null. */
  findUnreliable(problem: Problem): Promise<Unreliable | null>
}

/** A site is understood if at least this many links, and 99% of them, resolve. */
const MIN_LINKS = 20
const MAX_UNRESOLVED_SHARE = 0.01
/**
 * If more than this share of a site's links or entries is broken for one cause, the checker
 * probably does not support a feature. In maintained sites, the share is less than 0.2%.
 */
const UNRELIABLE_SHARE = 0.02
/** The same for all absolute or all relative references, whatever they lead to. */
const UNRELIABLE_FORM_SHARE = 0.2
/** Links with a common cause are on several pages. A page with many dead links is not a cause. */
const MIN_PAGES = 3

interface SummaryInput extends AnchorJudgeInput {
  readonly scans: ReadonlyMap<string, PageScan>
  readonly limits: CheckerLimits
}

/**
 * Summarizes the sites from the scans. Parses only the pages that can change an answer, because
 * parsing all pages with suspicious links takes minutes for a large site with much code.
 */
export function summarizeSites(input: SummaryInput): SiteSummary {
  const { index, scanned, scans, load, readLinks, limits } = input
  const { sites } = index
  let members: Map<string, string[]> | null = null
  const groups = new Map<string, SiteGroup>()
  const openGroup = (key: string): SiteGroup => {
    if (members === null) {
      members = new Map()
      for (const page of scanned.keys()) {
        const own = toGroup(sites, page)
        const known = members.get(own)
        if (known === undefined) members.set(own, [page])
        else known.push(page)
      }
    }
    const group = groups.get(key) ?? buildGroup({ pages: members.get(key) ?? [], scanned, scans, load, readLinks })
    groups.set(key, group)
    return group
  }
  const causes = new WeakMap<Problem, ReadonlySet<string>>()
  const causesOf = (problem: Problem) => {
    const known = causes.get(problem) ?? new Set(listCauses(sites, problem).map(({ key }) => key))
    causes.set(problem, known)
    return known
  }
  let navigation: ReturnType<typeof readNavigation> | null = null
  const openNavigation = () => {
    navigation ??= readNavigation(index)
    return navigation
  }
  const isUnderstood = async (page: string) => {
    const site = findSite(sites, page)
    const own = openGroup(toGroup(sites, page))
    // A translation with few links is understood if the main language is.
    const isTranslation = findContent(site, page)?.language != null
    const isSmall = isTranslation && (await own.settle(() => isBelowMinimum(own)))
    const group = isSmall ? openGroup(toKey(site, null)) : own
    return await group.settle(() => isResolved(group))
  }
  const hasArea = async (group: SiteGroup, area: string): Promise<boolean> => {
    const concerns = ({ areas }: PageCounts) => areas.has(area)
    return await group.settle(() => {
      const found = [...group.suspects.values()].filter(concerns)
      if (found.some(({ isParsed }) => isParsed)) return true
      return found.length === 0 ? false : null
    }, concerns)
  }
  const isMissingAnchor = buildAnchorJudge(input)
  const isBroken = async (page: string, { area }: DoubtfulLink): Promise<boolean> => {
    if (!isNameArea(area) && !(await isUnderstood(page))) return false
    return area === null || !(await hasArea(openGroup(toGroup(sites, page)), area))
  }
  return {
    isUnderstood,
    async decide(page, reading) {
      const found: Problem[] = []
      const doubtful: DoubtfulLink[] = []
      for (const link of reading.doubtful) {
        if (await isBroken(page, link)) found.push(link.problem)
        else doubtful.push(link)
      }
      const openAnchors: OpenAnchor[] = []
      for (const anchor of reading.openAnchors) {
        if (await isMissingAnchor(page, anchor)) found.push(anchor.problem)
        else openAnchors.push(anchor)
      }
      return found.length === 0
        ? reading
        : { ...reading, problems: [...reading.problems, ...found], doubtful, openAnchors }
    },
    async findUnreliable(problem) {
      const kind = toCounted(problem)
      if (kind === null) return null
      const key = toGroup(sites, problem.path)
      const group = openGroup(key)
      const own = openNavigation().get(key) ?? { entries: 0, problems: [] }
      const toJudged = (counts: Counts) => (kind === 'navigation' ? own.entries : counts[kind])
      for (const cause of listCauses(sites, problem)) {
        const share = cause.isForm ? UNRELIABLE_FORM_SHARE : UNRELIABLE_SHARE
        const has = (problem: Problem) => causesOf(problem).has(cause.key)
        const count = () => countProblems(has, own.problems, group)
        const isUnreliable = ({ broken, pages }: CauseCount, judged: number) =>
          broken >= limits.unreliableFrom && (kind === 'navigation' || pages >= MIN_PAGES) && broken > judged * share
        const concerns = ({ problems }: PageCounts) => problems.some((one) => has(one.problem))
        const found = await group.settle(() => {
          const { least, most } = count()
          if (!isUnreliable(most, toJudged(group.least()))) return false
          return isUnreliable(least, toJudged(group.most())) ? true : null
        }, concerns)
        if (!found) continue
        await group.complete()
        return { cause: cause.name, broken: count().most.broken, judged: toJudged(group.most()) }
      }
      return null
    },
  }
}

/** Returns null if the number of links is not certain. */
function isBelowMinimum(group: SiteGroup): boolean | null {
  if (toTotal(group.least()) >= MIN_LINKS) return false
  return toTotal(group.most()) < MIN_LINKS ? true : null
}

/** Returns true if almost all links resolve, or null if that is not certain. */
function isResolved(group: SiteGroup): boolean | null {
  const [least, most] = [group.least(), group.most()]
  const isWithin = (unresolved: Counts, total: Counts) =>
    unresolved.doubtful + unresolved.broken <= toTotal(total) * MAX_UNRESOLVED_SHARE
  if (toTotal(most) < MIN_LINKS || !isWithin(least, most)) return false
  return toTotal(least) >= MIN_LINKS && isWithin(most, least) ? true : null
}

function toTotal({ links, images, doubtful }: Counts): number {
  return links + images + doubtful
}

interface CauseCount {
  readonly broken: number
  readonly pages: number
}

/** Returns the bounds of the number of problems of one cause, and of the pages that have them. */
function countProblems(
  hasCause: (problem: Problem) => boolean,
  certain: readonly Problem[],
  group: SiteGroup,
): { least: CauseCount; most: CauseCount } {
  const sure = new Set<string>()
  const possible = new Set<string>()
  let [least, most] = [0, 0]
  const note = (problem: Problem, times: number, isSure: boolean) => {
    if (!hasCause(problem)) return
    most += times
    possible.add(problem.path)
    if (!isSure) return
    least += times
    sure.add(problem.path)
  }
  for (const problem of certain) note(problem, 1, true)
  for (const { problems, isParsed } of group.suspects.values())
    for (const { problem, times } of problems) note(problem, times, isParsed)
  return { least: { broken: least, pages: sure.size }, most: { broken: most, pages: possible.size } }
}

/** Returns the number of entries and the problems of the navigation, keyed by group. */
function readNavigation(index: SiteIndex): ReadonlyMap<string, { entries: number; problems: Problem[] }> {
  const { sites } = index
  const found = new Map<string, { entries: number; problems: Problem[] }>()
  const open = (key: string) => {
    const known = found.get(key) ?? { entries: 0, problems: [] }
    found.set(key, known)
    return known
  }
  for (const site of sites) {
    const { problems, entries } = findDeadEntries(index, site)
    const file = site.navigation.files[0]
    if (file !== undefined) open(toGroup(sites, file)).entries += entries
    for (const problem of problems) open(toGroup(sites, problem.path)).problems.push(problem)
  }
  return found
}

function toGroup(sites: readonly Site[], path: string): string {
  const site = findSite(sites, path)
  const content = findContent(site, path)
  const isInside = content !== null || site.navigation.files.includes(path)
  const part = content?.kind === 'opaque' ? content.folder : (content?.language ?? null)
  return isInside ? toKey(site, part) : ''
}

function toKey(site: Site, part: string | null): string {
  return JSON.stringify([site.config, part])
}

interface ProblemCause {
  readonly key: string
  /** Part of a sentence, such as `links that start with "/api/"`. */
  readonly name: string
  /** True if the cause covers all absolute or all relative references. */
  readonly isForm: boolean
}

/**
 * Returns what a broken reference may have in common with others, most specific first: the folder
 * that it leads to, and whether it is absolute or relative.
 */
function listCauses(sites: readonly Site[], problem: Problem): ProblemCause[] {
  const { path, subject, otherSubject } = problem
  const kind = toCounted(problem)
  const what = kind === 'navigation' ? 'entries' : kind
  const written = kind === 'navigation' ? `/${(otherSubject ?? '').replace(/^\.?\//, '')}` : subject
  const isAbsolute = written.startsWith('/')
  const root = findContent(findSite(sites, path), path)?.folder ?? ''
  const isInside = otherSubject !== undefined && isBelow(otherSubject, root)
  const target = isAbsolute ? written : isInside ? toInner(otherSubject, root) : (otherSubject ?? written)
  const first = /^\/?([^/?#]*)/.exec(target)?.[1] ?? ''
  const form = kind === 'navigation' ? '' : isAbsolute ? 'absolute ' : 'relative '
  const place = isAbsolute ? `/${first}` : isInside ? first : `../${first}`
  return [
    { key: JSON.stringify([kind, place]), name: `${what} to "${place}"`, isForm: false },
    { key: JSON.stringify([kind, form, null]), name: `${form}${what}`, isForm: true },
  ]
}
