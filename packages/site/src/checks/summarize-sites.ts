import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { SiteIndex } from '../links/site-index.ts'
import type { Problem } from '../pages/problem.ts'
import type { CheckerLimits } from './checker-limits.ts'
import type { DoubtfulLink, LinkReading } from './find-link-problems.ts'
import { findNavigationProblems } from './find-navigation-problems.ts'
import type { ScannedReading } from './find-scanned-problems.ts'
import { listCauses } from './list-causes.ts'

/** References of one kind, most of which do not resolve in the base commit. */
export interface Unreliable {
  /** What the references have in common, as part of a sentence. */
  readonly cause: string
  readonly broken: number
  /** Number of references of the same site and check. */
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
   * Turns doubtful links into problems if the site is understood. Links to folders that other links
   * of the base commit lead to, but no page is in, remain doubtful.
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

type Counted = 'links' | 'images' | 'navigation'

interface Cause {
  readonly name: string
  readonly isForm: boolean
  readonly pages: Set<string>
  broken: number
}

/**
 * Counts for one language or folder with unknown URLs of a site, and for all files that belong to no
 * site.
 */
interface Group {
  readonly judged: Record<Counted, number>
  readonly causes: Map<string, Cause>
  /** Folders without known pages that links of the base commit lead to. */
  readonly areas: Set<string>
  doubtful: number
  broken: number
}

export interface SummaryInput {
  readonly index: SiteIndex
  readonly scanned: ReadonlyMap<string, ScannedReading>
  /** Parses pages. */
  load(pages: readonly string[]): Promise<void>
  readLinks(page: string): Promise<LinkReading>
  readonly limits: CheckerLimits
}

export function summarizeSites({ index, scanned, load, readLinks, limits }: SummaryInput): SiteSummary {
  const { sites } = index
  const count = async (key: string): Promise<Group> => {
    const judged = { links: 0, images: 0, navigation: 0 }
    const group: Group = { judged, causes: new Map(), areas: new Set(), doubtful: 0, broken: 0 }
    const note = (problem: Problem) => {
      if (!isCounted(problem) || toGroup(sites, problem.path) !== key) return
      for (const { key: causeKey, name, isForm } of listCauses(sites, problem)) {
        const cause = group.causes.get(causeKey) ?? { name, isForm, pages: new Set(), broken: 0 }
        cause.pages.add(problem.path)
        cause.broken += 1
        group.causes.set(causeKey, cause)
      }
    }
    const suspects: string[] = []
    for (const [page, { shown, hidden }] of scanned) {
      if (toGroup(sites, page) !== key) continue
      if (isSuspect(shown) || isSuspect(hidden)) suspects.push(page)
      else {
        judged.links += shown.links
        judged.images += shown.images
      }
    }
    await load(suspects)
    for (const page of suspects) {
      const { links, images, problems, doubtful } = await readLinks(page)
      judged.links += links
      judged.images += images
      for (const { area } of doubtful) {
        if (area === null) group.doubtful += 1
        else group.areas.add(area)
      }
      group.broken += problems.filter(isCounted).length
      problems.forEach(note)
    }
    for (const site of sites) {
      const { problems, entries } = findNavigationProblems(index, site)
      const file = site.navigation.files[0]
      if (file !== undefined && toGroup(sites, file) === key) judged.navigation += entries
      problems.forEach(note)
    }
    return group
  }
  const groups = new Map<string, Promise<Group>>()
  const openGroup = async (key: string): Promise<Group> => {
    const known = groups.get(key)
    if (known !== undefined) return await known
    const counted = count(key)
    groups.set(key, counted)
    counted.catch(() => groups.delete(key))
    return await counted
  }
  const groupOf = (path: string) => openGroup(toGroup(sites, path))
  const isUnderstood = async (page: string) => {
    const site = findSite(sites, page)
    if (site.config === null) return false
    const own = await groupOf(page)
    // A translation with few links is understood if the main language is.
    const isTranslation = findContent(site, page)?.language != null
    const group = isTranslation && toTotal(own) < MIN_LINKS ? await openGroup(toKey(site, null)) : own
    const total = toTotal(group)
    return total >= MIN_LINKS && group.doubtful + group.broken <= total * MAX_UNRESOLVED_SHARE
  }
  return {
    isUnderstood,
    async decide(page, reading) {
      if (reading.doubtful.length === 0 || !(await isUnderstood(page))) return reading
      const { areas } = await groupOf(page)
      const isOpen = ({ area }: DoubtfulLink) => area !== null && areas.has(area)
      const broken = reading.doubtful.filter((link) => !isOpen(link)).map(({ problem }) => problem)
      return { ...reading, problems: [...reading.problems, ...broken], doubtful: reading.doubtful.filter(isOpen) }
    },
    async findUnreliable(problem) {
      if (!isCounted(problem)) return null
      const { judged, causes } = await groupOf(problem.path)
      const total = judged[problem.check as Counted]
      for (const { key } of listCauses(sites, problem)) {
        const cause = causes.get(key)
        if (cause === undefined || cause.broken < limits.unreliableFrom) continue
        const { name, broken, isForm, pages } = cause
        const share = isForm ? UNRELIABLE_FORM_SHARE : UNRELIABLE_SHARE
        const isSpread = problem.check === 'navigation' || pages.size >= MIN_PAGES
        if (isSpread && broken > total * share) return { cause: name, broken, judged: total }
      }
      return null
    },
  }
}

/** Returns true if a link may not resolve. Such a page is parsed, because the link may be code. */
function isSuspect({ problems, doubtful }: LinkReading): boolean {
  return problems.length + doubtful.length > 0
}

function isCounted({ code }: Problem): boolean {
  return code === 'link_broken' || code === 'image_missing' || code === 'navigation_missing_page'
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

function toTotal({ judged, doubtful }: Group): number {
  return judged.links + judged.images + doubtful
}
