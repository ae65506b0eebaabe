import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { SiteIndex } from '../links/site-index.ts'
import type { LinkReading, OpenAnchor, ScannedReading } from './find-link-problems.ts'

export interface AnchorJudgeInput {
  readonly index: SiteIndex
  readonly scanned: ReadonlyMap<string, ScannedReading>
  /** Pages keyed by the files whose ids they may reference. */
  readonly anchoring: ReadonlyMap<string, readonly string[]>
  /** Parses pages. */
  load(pages: readonly string[]): Promise<void>
  readLinks(page: string): Promise<LinkReading>
}

/** Returns true if an id that is not in the text of a page is probably missing. */
type IsMissingAnchor = (page: string, anchor: OpenAnchor) => Promise<boolean>

/** The same evidence as for links. */
const MIN_ANCHORS = 20
const MAX_UNRESOLVED_SHARE = 0.01
/** Maximum number of pages of a site that are parsed, and of pages that link to one page. */
const MAX_PAGES = 120
const MAX_INBOUND = 20
const BATCH = 8

/**
 * Judges links to ids of pages that may get ids from components or templates. The ids are in the
 * text of the pages if at least 20 links of the base commit lead to ids of such pages and 99 % of
 * them resolve. A page to which the base commit has a link that does not resolve is not judged.
 */
export function buildAnchorJudge({ index, scanned, anchoring, load, readLinks }: AnchorJudgeInput): IsMissingAnchor {
  const sites = new Map<Site, Promise<boolean>>()
  const targets = new Map<string, Promise<boolean>>()
  const readAll = async (pages: readonly string[], take: (reading: LinkReading) => boolean) => {
    for (let at = 0; at < pages.length; at += BATCH) {
      const batch = pages.slice(at, at + BATCH)
      await load(batch)
      for (const page of batch) if (take(await readLinks(page))) return
    }
  }
  const isUnderstood = async (site: Site): Promise<boolean> => {
    let [found, open] = [0, 0]
    const pages = [...scanned].flatMap(([page, { shown }]) =>
      shown.anchored.length > 0 && findSite(index.sites, page) === site ? [page] : [],
    )
    await readAll(pages.slice(0, MAX_PAGES), (reading) => {
      found += reading.foundAnchors
      open += reading.openAnchors.length
      return found >= MIN_ANCHORS && open === 0
    })
    return found >= MIN_ANCHORS && open <= (found + open) * MAX_UNRESOLVED_SHARE
  }
  const isComplete = async (target: string): Promise<boolean> => {
    let open = false
    await readAll((anchoring.get(target) ?? []).slice(0, MAX_INBOUND), (reading) => {
      open = reading.openAnchors.some(({ paths }) => paths.includes(target))
      return open
    })
    return !open
  }
  const once = <K>(known: Map<K, Promise<boolean>>, key: K, compute: (key: K) => Promise<boolean>) => {
    const result = known.get(key) ?? compute(key)
    known.set(key, result)
    return result
  }
  return async (page, { paths }) => {
    if (!(await once(sites, findSite(index.sites, page), isUnderstood))) return false
    for (const path of paths) if (!(await once(targets, path, isComplete))) return false
    return paths.length > 0
  }
}
