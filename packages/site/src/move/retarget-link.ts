import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { resolveLink } from '../links/resolve-link.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import { dropExtension, isBelow, joinPath, PAGE, toFolder, toInner, toName, toRelative } from '../pages/paths.ts'

interface RetargetInput {
  readonly before: SiteIndex
  readonly after: SiteIndex
  /** The page that contains the link, before and after the move. */
  readonly page: string
  readonly newPage: string
  /** The destination as written. */
  readonly href: string
  /** The target file, before and after the move. */
  readonly target: string
  readonly newTarget: string
}

/**
 * Rewrites a link for the new location of its target, in the same format (absolute or relative,
 * file or URL, extension, slash, anchor and query). Returns the original text if it still resolves
 * to the target, or null if no such link is possible.
 */
export function retargetLink(input: RetargetInput): string | null {
  const { after, newPage, href, newTarget } = input
  const leads = (link: string) => resolveLink(after, newPage, link).paths[0] === newTarget
  const [, written = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
  if (written === '') return href
  const rules = findRules(input, written)
  // The rules are tried before the original text. If a link's rule no longer applies, its text may
  // still resolve to the right page through another rule, but only by accident.
  for (const rule of rules) {
    const path = rule.build()
    if (path === null) continue
    const link = `${path === written ? written : encode(path)}${suffix}`
    if (leads(link)) return link
  }
  return leads(href) ? href : null
}

interface Rule {
  /** Returns the decoded destination, or null if the rule cannot express the target. */
  build(): string | null
}

/** Returns the rules by which the link resolved to its target, strictest first. */
function findRules(input: RetargetInput, written: string): Rule[] {
  const { before, page, newPage, target, newTarget } = input
  const path = decode(written)
  const site = findSite(before.sites, page)
  if (path.startsWith('@site/')) {
    return [{ build: () => (isBelow(newTarget, site.root) ? `@site/${toInner(newTarget, site.root)}` : null) }]
  }
  if (path.startsWith('/')) return [{ build: () => toAbsolute(input, site, path) }]
  const dotted = path.startsWith('./')
  const slash = path.endsWith('/') ? '/' : ''
  const relative = (folder: string, to: string): string => {
    const found = toRelative(folder, to)
    if (found === '') return slash === '' ? '.' : './'
    return `${dotted && !found.startsWith('.') ? './' : ''}${found}${slash}`
  }
  const rules: Rule[] = []
  const folder = toFolder(newPage)
  const exact = joinPath(toFolder(page), path)
  if (exact === target && slash === '') rules.push({ build: () => relative(folder, newTarget) })
  const byFile = exact !== null && (exact === dropExtension(target) || exact === toFolder(target))
  if (byFile && PAGE.test(target)) rules.push({ build: () => relative(folder, toStem(newTarget)) })
  if (exact !== null && `${dropExtension(target)}.html` === exact) {
    rules.push({ build: () => relative(folder, `${dropExtension(newTarget)}.html`) })
  }
  // If a translation of the target is missing, the link resolves to the main-language page as if
  // that page were in the translation's folder.
  const home = findContent(site, page)
  const main = findContent(site, target)
  if (
    home !== null &&
    main !== null &&
    home.language !== null &&
    home.folder !== main.folder &&
    isBelow(newTarget, main.folder)
  ) {
    const place = (file: string) => `${home.folder}/${toInner(file, main.folder)}`
    if (exact === place(target)) rules.push({ build: () => relative(folder, place(newTarget)) })
    if (exact === dropExtension(place(target)))
      rules.push({ build: () => relative(folder, dropExtension(place(newTarget))) })
  }
  const [from] = toUrls(site, page, before.facts.get(page) ?? null)
  const [own] = toUrls(findSite(input.after.sites, newPage), newPage, input.after.facts.get(newPage) ?? null)
  const [url] = toUrls(findSite(input.after.sites, newTarget), newTarget, input.after.facts.get(newTarget) ?? null)
  const [old] = toUrls(findSite(before.sites, target), target, before.facts.get(target) ?? null)
  if (from === undefined || own === undefined || url === undefined || old === undefined) return rules
  const whole = joinPath(from.slice(1), path)
  const parent = joinPath(toFolder(from.slice(1)), path)
  const isFolder = site.framework.trailingSlash || slash !== ''
  const falls = home?.language != null && main?.language === null
  const toPlace = (address: string) => (falls ? translate(address, main.url, home.url) : address)
  for (const [before_, now] of falls
    ? ([
        [old, url],
        [toPlace(old), toPlace(url)],
      ] as const)
    : ([[old, url]] as const)) {
    if (whole !== null && `/${whole}` === before_) {
      const rule = { build: () => relative(own.slice(1), now.slice(1)) }
      if (isFolder) rules.unshift(rule)
      else rules.push(rule)
    }
    if (parent !== null && `/${parent}` === before_)
      rules.push({ build: () => relative(toFolder(own.slice(1)), now.slice(1)) })
  }
  return rules
}

/** Removes a path's extension. A folder's index page becomes the folder. */
function toStem(page: string): string {
  return /^(?:_?index|readme)\.[a-z]+$/i.test(toName(page)) ? toFolder(page) : dropExtension(page)
}

function toAbsolute(input: RetargetInput, site: Site, path: string): string | null {
  const { after, newTarget } = input
  const base = site.base !== '' && (path === site.base || path.startsWith(`${site.base}/`)) ? site.base : ''
  const extension = /\.(?:html?|mdx?|markdown)$/i.exec(path)?.[0] ?? ''
  const slash = path.endsWith('/') && path !== '/' ? '/' : ''
  if (PAGE.test(newTarget)) {
    const home = findSite(after.sites, newTarget)
    const rooted = `/${newTarget}`
    if (home.config === null) return extension === '' ? dropExtension(rooted) : rooted
    const content = findContent(home, newTarget)
    // MkDocs and books use the file's path.
    if (content !== null && /^\.(?:mdx?|markdown)$/i.test(extension)) {
      const inner = toInner(newTarget, content.folder)
      return `${base}${content.url === '/' ? '' : content.url}/${inner}`
    }
    const [url] = toUrls(home, newTarget, after.facts.get(newTarget) ?? null)
    if (url === undefined) return null
    const tail = url === '/' ? '' : `${extension}${slash}`
    const language = findContent(site, input.newPage)?.url ?? '/'
    const falls =
      site.languageFallback && language !== '/' && path.startsWith(`${language}/`) && !url.startsWith(`${language}/`)
    if (!falls) return `${base}${url}${tail}`
    // The link names the page as if it were translated, so it does not contain the main language.
    return `${base}${translate(url, content?.url ?? '/', language)}${tail}`
  }
  for (const folder of site.publicFolders)
    if (isBelow(newTarget, folder)) return `${base}/${toInner(newTarget, folder)}`
  return site.config === null ? `/${newTarget}` : null
}

/** Returns the URL that a page would have in a different language. */
function translate(address: string, main: string, language: string): string {
  const prefix = main === '/' ? '' : main
  const inner = address === prefix || address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : address
  return `${language === '/' ? '' : language}${inner}` || '/'
}

/** Encodes a path as a link destination that is valid wherever a link may occur. */
function encode(path: string): string {
  return path
    .replace(/[^\p{L}\p{N}\p{M}\-._~!$&'*+,;=:@/%]/gu, (char) =>
      char === '(' ? '%28' : char === ')' ? '%29' : encodeURIComponent(char),
    )
    .replace(/%(?![\da-f]{2})/gi, '%25')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
