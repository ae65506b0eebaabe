import { findSite } from '../frameworks/find-site.ts'
import { resolvePageLink, toImportPaths } from '../links/resolve-page-link.ts'
import type { LinkTarget, SiteIndex, Verdict } from '../links/site-index.ts'
import { toLabel } from '../pages/find-labels.ts'
import { foldAnchor } from '../pages/fold-anchor.ts'
import { EMPTY_CONTENT, type PageContent, type PageLink } from '../pages/page-content.ts'
import { IMAGE, joinPath, PAGE, toFolder } from '../pages/paths.ts'
import type { PageScan } from '../pages/scan-page.ts'
import type { LinkPast, LinkSide } from './link-side.ts'
import type { Problem } from './problem.ts'

export interface DoubtfulLink {
  readonly problem: Problem
  /** As in `LinkTarget`. */
  readonly area: string | null
}

/** A link to an id that is not in the text of the linked page, which may get ids from elsewhere. */
export interface OpenAnchor {
  readonly problem: Problem
  /** The files that the link may lead to. */
  readonly paths: readonly string[]
}

export interface LinkReading {
  readonly problems: readonly Problem[]
  /** Links that are broken unless the site has pages without files. */
  readonly doubtful: readonly DoubtfulLink[]
  /** Files that the page's links point to. */
  readonly targets: readonly string[]
  /** Files whose ids the page's links reference. */
  readonly anchored: readonly string[]
  /** True if a redirect resolves one of the links. */
  readonly redirected: boolean
  /** True if one of the links leads to a folder. */
  readonly folders: boolean
  /** Number of links and images that could be checked. */
  readonly links: number
  readonly images: number
  /** Number of links with an anchor. */
  readonly anchors: number
  readonly openAnchors: readonly OpenAnchor[]
  /** Number of links whose id is in the text of a page that may get more ids from elsewhere. */
  readonly foundAnchors: number
}

export const EMPTY_READING: LinkReading = {
  problems: [],
  doubtful: [],
  targets: [],
  anchored: [],
  redirected: false,
  folders: false,
  links: 0,
  images: 0,
  anchors: 0,
  openAnchors: [],
  foundAnchors: 0,
}

/** Matches template syntax, whose URLs are generated when the site is built. */
const TEMPLATE = /\{\{|\{%|\$\{|\$\(|<%|^\{|^%|\\/
/** Matches ids that frameworks and browsers generate. */
const GENERATED_ANCHOR = /^(?:$|top$|_top$|__|fn|user-content-|tab-(?:panel-)?\d|:~:|[?!/=])/

/**
 * Finds broken links, anchors and images on a page. Skips links whose target cannot be determined
 * from the files, unless they led to a file in the base commit. `past` is null for the base commit.
 */
export function findLinkProblems(
  side: LinkSide,
  page: string,
  content: PageContent,
  past: LinkPast | null = null,
): LinkReading {
  const problems: Problem[] = []
  const doubtful: DoubtfulLink[] = []
  const targets = new Set<string>()
  const anchored = new Set<string>()
  const openAnchors: OpenAnchor[] = []
  let [links, images, anchors, foundAnchors] = [0, 0, 0, 0]
  let [redirected, folders] = [false, false]
  const isReplaced = (link: PageLink, wasFound: (old: PageLink) => boolean) => {
    const old = past?.findReplaced(page, link) ?? null
    return old !== null && wasFound(old)
  }
  const { hides = [] } = findSite(side.index.sites, page).framework
  for (const link of content.links) {
    if (link.hiding !== undefined && hides.includes(link.hiding)) continue
    const isFile = link.notation !== undefined || link.kind === 'import'
    if (!isFile && TEMPLATE.test(link.href)) continue
    const target = resolvePageLink(side.index, page, link)
    if (target.kind === 'external') continue
    for (const path of target.paths) targets.add(path)
    if (target.redirect !== null) redirected = true
    if (target.isFolder) folders = true
    const plain = link.href.replace(/[?#].*$/s, '')
    const isImage = link.kind === 'image' || (link.kind !== 'include' && IMAGE.test(plain))
    const isBroken = target.verdict === 'no' || (isOpen(target) && past?.isResolved(page, link, target) === true)
    if (isOpen(target) && !isBroken && isReplaced(link, (old) => past?.isResolved(page, old, target) === true)) {
      problems.push({ ...toBroken(page, link, plain, isImage), advisory: true })
      continue
    }
    if (target.doubt === 'site' && !isBroken) {
      doubtful.push({ problem: toBroken(page, link, plain, isImage), area: target.area })
    }
    if (target.verdict === 'unknown' && !isBroken) continue
    if (isImage) images += 1
    else links += 1
    if (isBroken) problems.push(toBroken(page, link, plain, isImage))
    else if (target.anchor !== null && target.redirect === null) {
      for (const path of target.paths) anchored.add(path)
      const { verdict, isOpen } = findAnchor(side, page, target, target.anchor)
      const hadAnchor = (one: PageLink) => past?.hasAnchor(page, one) === true
      const isLost =
        verdict === 'no' ||
        (verdict === 'unknown' && isRead(side, target) && (hadAnchor(link) || isReplaced(link, hadAnchor)))
      anchors += 1
      if (verdict === 'yes' && isOpen) foundAnchors += 1
      if (isLost) problems.push(toLostAnchor(page, link, target, target.anchor))
      else if (verdict === 'unknown')
        openAnchors.push({ problem: toLostAnchor(page, link, target, target.anchor), paths: target.paths })
    }
  }
  const counts = { redirected, folders, links, images, anchors, openAnchors, foundAnchors }
  return { problems, doubtful, targets: [...targets], anchored: [...anchored], ...counts }
}

function isOpen({ verdict, doubt }: LinkTarget): boolean {
  return verdict === 'unknown' && doubt !== 'elsewhere'
}

function isRead(side: LinkSide, { paths }: LinkTarget): boolean {
  return paths.every((path) => side.contentOf(path)?.unread === null)
}

interface AnchorReading {
  readonly verdict: Verdict
  /** True if the linked page may have ids that its text does not contain. */
  readonly isOpen: boolean
}

const CLOSED: AnchorReading = { verdict: 'yes', isOpen: false }

function findAnchor(side: LinkSide, page: string, target: LinkTarget, anchor: string): AnchorReading {
  if (GENERATED_ANCHOR.test(anchor)) return CLOSED
  const { index } = side
  const site = findSite(index.sites, page)
  const isShared = site.framework.sharesAnchors === true && target.kind === 'page'
  if (isShared && index.labels[index.sites.indexOf(site)]?.has(toLabel(anchor))) return CLOSED
  const name = foldAnchor(anchor)
  // Other names are those of documented objects and terms.
  const isName = !isShared || /^[\p{L}\p{N}_-]+$/u.test(anchor)
  let verdict: Verdict = target.paths.length === 0 || !isName ? 'unknown' : 'no'
  for (const path of target.paths) {
    const content = side.contentOf(path)
    if (content === undefined || content.unread !== null) {
      verdict = 'unknown'
      continue
    }
    const isText = content.onlyTemplates && findSite(index.sites, path).framework.templatesAreText === true
    const hasMore = content.moreAnchors && !isText
    const isOpen = hasMore || content.idSources.length + content.idIncludes.length > 0
    if (side.anchorsOf(content).has(name)) return { verdict: 'yes', isOpen }
    if (hasMore || mayAddAnchor(side, path, content, name)) verdict = 'unknown'
  }
  return { verdict, isOpen: verdict === 'unknown' }
}

function toBroken(page: string, link: PageLink, plain: string, isImage: boolean): Problem {
  const { href, line } = link
  const shown = JSON.stringify(href)
  const other = plain.startsWith('/') ? null : joinPath(toFolder(page), plain)
  const names = { path: page, line, subject: href, ...(other === null ? {} : { otherSubject: other }) }
  if (isImage) return { code: 'image_missing', ...names, message: `The image ${shown} does not exist.` }
  if (link.kind === 'import') {
    return {
      code: 'import_missing',
      ...names,
      message: `The imported file ${shown} does not exist.`,
    }
  }
  if (link.kind === 'include') {
    const message = `The included file ${shown} does not exist.`
    return { code: 'include_missing', ...names, message }
  }
  return {
    code: 'link_broken',
    ...names,
    message: `The link ${shown} points to a page or file that does not exist.`,
  }
}

function toLostAnchor(page: string, link: PageLink, target: LinkTarget, anchor: string): Problem {
  const { href, line } = link
  const where = target.kind === 'page' ? 'this page' : (target.paths[0] ?? 'the page')
  const message = `The link ${JSON.stringify(href)} points to the anchor "${anchor}", but ${where} has no heading or id with that name.`
  const otherSubject = `${target.paths[0] ?? ''}#${anchor}`
  return {
    code: 'anchor_missing',
    path: page,
    line,
    subject: href,
    otherSubject,
    message,
  }
}

/** The link readings of a page that was not parsed. Missing anchors are not included. */
export interface ScannedReading {
  /** The links that are probably not in code. */
  readonly shown: LinkReading
  /** All other possible links. Both readings contain everything that the page's reading contains. */
  readonly hidden: LinkReading
}

/** Finds the link problems that a page may have, without parsing it. */
export function findScannedProblems(
  index: SiteIndex,
  page: string,
  { facts, shown, hidden }: PageScan,
): ScannedReading {
  // Anchors are accepted, because the content of the other pages is not known.
  const side = { index, contentOf: () => undefined, componentOf: () => undefined, anchorsOf: () => new Set<string>() }
  const find = (links: readonly PageLink[]) =>
    findLinkProblems(side, page, { ...EMPTY_CONTENT, facts, links, moreAnchors: true })
  return { shown: find(shown), hidden: find(hidden) }
}

/** Maximum number of files that are followed for one page. */
const MAX_FILES = 100
const NO_IDS = /\.(?:json|css|scss|sass|less|svg|png|jpe?g|webp|avif|gif)$/i

/**
 * Returns true if the components, templates and Markdown files that a page imports or includes may
 * define an anchor. Follows their imports and includes within the repository.
 * @param name the folded anchor
 */
function mayAddAnchor(side: LinkSide, page: string, content: PageContent, name: string): boolean {
  const seen = new Set<string>()
  const open = findSources(side, page, content)
  if (open === null) return true
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || NO_IDS.test(path)) continue
    seen.add(path)
    const found = seen.size > MAX_FILES ? undefined : (side.contentOf(path) ?? side.componentOf(path))
    if (found === undefined || found.moreAnchors || hasAnchor(side, found, name)) return true
    const sources = findSources(side, path, found)
    if (sources === null) return true
    open.push(...sources)
  }
  return false
}

/** The ids of templates may end in `*`. */
function hasAnchor(side: LinkSide, content: PageContent, name: string): boolean {
  const isMatch = (anchor: string) => anchor.endsWith('*') && name.startsWith(anchor.slice(0, -1))
  return side.anchorsOf(content).has(name) || content.anchors.some(isMatch)
}

/** Returns the files that may add ids to a file, or null if one of them is not known. */
function findSources({ index }: LinkSide, from: string, content: PageContent): string[] | null {
  const isPage = PAGE.test(from)
  const hrefs = isPage ? content.idSources : content.links.map((link) => link.href)
  const paths: string[] = []
  for (const href of hrefs) {
    const candidates = toImportPaths(findSite(index.sites, from), from, href.replace(/\?.*$/s, ''))
    const path = candidates.find((file) => index.files.has(file))
    if (path !== undefined) paths.push(path)
    // Components may import packages, which add no ids.
    else if (isPage || candidates.length > 0) return null
  }
  for (const include of content.idIncludes) {
    const target = resolvePageLink(index, from, include)
    if (target.verdict !== 'yes') return null
    paths.push(...target.paths)
  }
  return paths
}
