import { findSite } from '../frameworks/find-site.ts'
import { resolveLink } from '../links/resolve-link.ts'
import type { LinkTarget, SiteIndex } from '../links/site-index.ts'
import { foldAnchor, foldAscii } from '../pages/fold-anchor.ts'
import type { PageContent, PageLink } from '../pages/page-content.ts'
import { joinPath, toFolder } from '../pages/paths.ts'
import type { Problem } from '../pages/problem.ts'

export interface LinkSide {
  readonly index: SiteIndex
  /** Returns a page's content, or undefined for files that are not pages or were not read. */
  contentOf(path: string): PageContent | undefined
  /** Returns a page's anchors as a set. */
  anchorsOf(content: PageContent): ReadonlySet<string>
}

export interface LinkReading {
  readonly problems: readonly Problem[]
  /** Files that the page's links point to. */
  readonly targets: readonly string[]
  /** Files whose ids the page's links reference. */
  readonly anchored: readonly string[]
  /** True if a redirect resolves one of the links. */
  readonly redirected: boolean
  /** Number of links and images that could be checked. */
  readonly links: number
  readonly images: number
}

export const EMPTY_READING: LinkReading = {
  problems: [],
  targets: [],
  anchored: [],
  redirected: false,
  links: 0,
  images: 0,
}

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp4|webm|mov|mp3)$/i
/** Matches template syntax, whose URLs are generated when the site is built. */
const TEMPLATE = /\{\{|\{%|\$\{|\$\(|<%|^\{|^@|^~|^%|\\/
/** Matches ids that frameworks and browsers generate. */
const GENERATED_ANCHOR = /^(?:$|top$|_top$|__|fn|user-content-|:~:|[?!/=])/

/**
 * Finds broken links, anchors and images on a page. Skips links whose target cannot be determined
 * from the files.
 */
export function findLinkProblems(side: LinkSide, page: string, content: PageContent): LinkReading {
  const problems: Problem[] = []
  const targets = new Set<string>()
  const anchored = new Set<string>()
  let [links, images, redirected] = [0, 0, false]
  for (const link of content.links) {
    if (TEMPLATE.test(link.href)) continue
    const target = resolve(side, page, link)
    if (target.kind === 'external') continue
    for (const path of target.paths) targets.add(path)
    if (target.redirect !== null) redirected = true
    if (target.verdict === 'unknown') continue
    const plain = link.href.replace(/[?#].*$/s, '')
    const isImage = link.kind === 'image' || IMAGE.test(plain)
    if (isImage) images += 1
    else links += 1
    if (target.verdict === 'no') problems.push(toBroken(page, link, plain, isImage))
    else if (target.anchor !== null && target.redirect === null) {
      for (const path of target.paths) anchored.add(path)
      if (!hasAnchor(side, target, target.anchor)) problems.push(toLostAnchor(page, link, target, target.anchor))
    }
  }
  return { problems, targets: [...targets], anchored: [...anchored], redirected, links, images }
}

function resolve(side: LinkSide, page: string, link: PageLink): LinkTarget {
  if (link.kind === 'import') return resolveImport(side, page, link.href)
  const target = resolveLink(side.index, page, link.href)
  if (link.kind !== 'image' || target.kind !== 'relative' || target.verdict !== 'unknown') return target
  // In every framework, relative Markdown images are files next to the page, even if the site's
  // URLs are unknown.
  const plain = link.href.replace(/[?#].*$/s, '')
  const path = /^[\w\-./]+$/.test(plain) && IMAGE.test(plain) ? joinPath(toFolder(page), plain) : null
  return path === null || side.index.files.has(path) ? target : { ...target, verdict: 'no' }
}

/** Resolves a file imported by MDX, relative to the page or to its site's root. */
function resolveImport(side: LinkSide, page: string, href: string): LinkTarget {
  const base = href.startsWith('/') ? findSite(side.index.sites, page).root : toFolder(page)
  const path = joinPath(base, href)
  const found = path !== null && side.index.files.has(path)
  return {
    verdict: path === null ? 'unknown' : found ? 'yes' : 'no',
    paths: found ? [path] : [],
    anchor: null,
    redirect: null,
    kind: href.startsWith('/') ? 'absolute' : 'relative',
  }
}

function hasAnchor(side: LinkSide, target: LinkTarget, anchor: string): boolean {
  if (GENERATED_ANCHOR.test(anchor) || target.paths.length === 0) return true
  return target.paths.some((path) => {
    const content = side.contentOf(path)
    if (content === undefined || content.unread !== null || content.moreAnchors) return true
    const anchors = side.anchorsOf(content)
    return anchors.has(foldAnchor(anchor)) || anchors.has(foldAscii(anchor))
  })
}

function toBroken(page: string, link: PageLink, plain: string, isImage: boolean): Problem {
  const { href, line } = link
  const shown = JSON.stringify(href)
  const other = plain.startsWith('/') ? null : joinPath(toFolder(page), plain)
  const names = { path: page, line, subject: href, ...(other === null ? {} : { otherSubject: other }) }
  if (isImage)
    return { check: 'images', code: 'image_missing', ...names, message: `The image ${shown} does not exist.` }
  if (link.kind === 'import') {
    return {
      check: 'links',
      code: 'import_missing',
      ...names,
      message: `The imported file ${shown} does not exist.`,
    }
  }
  return {
    check: 'links',
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
    check: 'anchors',
    code: 'anchor_missing',
    path: page,
    line,
    subject: href,
    otherSubject,
    message,
    advisory: true,
  }
}
