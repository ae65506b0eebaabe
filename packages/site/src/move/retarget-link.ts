import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { type Reference, resolvePageLink } from '../links/resolve-page-link.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import {
  decodePath,
  dropExtension,
  isBelow,
  joinPath,
  PAGE,
  toFolder,
  toInner,
  toName,
  toRelative,
} from '../pages/paths.ts'

interface RetargetInput {
  readonly before: SiteIndex
  readonly after: SiteIndex
  /** The page that contains the link, before and after the move. */
  readonly page: string
  readonly newPage: string
  readonly link: Reference
  /** The target file, before and after the move. */
  readonly target: string
  readonly newTarget: string
}

/**
 * Rewrites the destination of a link for the new location of its target, in the same format
 * (absolute or relative, file or URL, extension, slash, anchor and query). Returns the original text
 * if it still resolves to the target, or null if no such text is possible.
 */
export function retargetLink(input: RetargetInput): string | null {
  const { before, after, page, newPage, link, newTarget } = input
  const { framework } = findSite(before.sites, page)
  const leads = (href: string) => resolvePageLink(after, newPage, { ...link, href }).paths[0] === newTarget
  const scheme = framework.ownScheme?.exec(link.href)?.[0] ?? ''
  const [, written = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(link.href.slice(scheme.length)) ?? []
  if (written === '') return link.href
  const rule = link.notation === undefined ? 'link' : framework.notations?.[link.notation]
  const isLink = rule === 'link' && link.kind !== 'import'
  // Only destinations of links are URLs, in which some characters are encoded.
  const rules = isLink ? findRules(input, written) : listPaths(input, written).map((path) => ({ build: () => path }))
  // The rules are tried before the original text. If a link's rule no longer applies, its text may
  // still resolve to the right page through another rule, but only by accident.
  for (const { build } of rules) {
    const path = build()
    if (path === null) continue
    const href = `${scheme}${path === written || !isLink ? path : encode(path)}${suffix}`
    if (leads(href)) return href
  }
  if (leads(link.href)) return link.href
  const url = isLink && PAGE.test(newTarget) ? toAbsolute(input, findSite(after.sites, newPage), '/') : null
  return url !== null && leads(`${url}${suffix}`) ? `${url}${suffix}` : null
}

/** Returns the path that a relative link names, whether or not a file is there. */
export function toPlace(page: string, href: string): string | null {
  const path = href.replace(/[?#].*$/s, '')
  return path === '' || /^[/@~{]|^[a-z][a-z\d+.-]*:/i.test(path) ? null : joinPath(toFolder(page), path)
}

/** Returns a relative path to a file that may not exist yet, for the new location of its page. */
export function rebaseLink(newPage: string, href: string, target: string): string {
  const path = toRelative(toFolder(newPage), target)
  const dots = href.startsWith('./') && !path.startsWith('.') ? './' : ''
  return `${dots}${encode(path)}${/[?#].*$/s.exec(href)?.[0] ?? ''}`
}

/** Returns the paths, in the format of the written one, that may name the target after the move. */
function listPaths({ before, page, newPage, target, newTarget }: RetargetInput, written: string): string[] {
  const [, prefix = '', inner = ''] = /^((?:[@~][\w-]*)?\/|\.\/)?(.*)$/s.exec(written) ?? []
  const joined = joinPath(toFolder(page), written)
  const found: string[] = []
  const isRelative = prefix === '' || prefix === './'
  const name = joined === null || !isRelative ? null : toWritten(joined, target, newTarget)
  if (name !== null) {
    const path = toRelative(toFolder(newPage), name)
    found.push(/^\.{1,2}\//.test(written) && !path.startsWith('.') ? `./${path}` : path)
  }
  // A path that starts at another folder ends like the target.
  const at = target.lastIndexOf(`/${inner}`)
  const folders = [...(at === -1 ? [] : [target.slice(0, at)]), ...(target.startsWith(inner) ? [''] : [])]
  const { content } = findSite(before.sites, page)
  for (const [folder, start] of [
    ...folders.map((folder) => [folder, prefix === './' ? '' : prefix] as const),
    ...content.map(({ folder }) => [folder, '/'] as const),
  ]) {
    const own = toWritten(`${folder === '' ? '' : `${folder}/`}${inner}`, target, newTarget) ?? toStem(newTarget)
    if (isBelow(own, folder)) found.push(`${start}${toInner(own, folder)}`)
  }
  return found
}

/** Returns the new path without the ending that the written one lacks. Null if it names another file. */
function toWritten(written: string, target: string, newTarget: string): string | null {
  const ending = target.startsWith(written) ? target.slice(written.length) : null
  if (ending !== null && /^(?:$|\.|\/_?index\.)/.test(ending))
    return newTarget.endsWith(ending) ? newTarget.slice(0, newTarget.length - ending.length) : toStem(newTarget)
  const [stem, extension] = splitExtension(written)
  return splitExtension(target)[0] === stem ? `${splitExtension(newTarget)[0]}${extension}` : null
}

const splitExtension = (path: string): [stem: string, extension: string] => {
  const extension = /\.[^./]+$/.exec(path)?.[0] ?? ''
  return [path.slice(0, path.length - extension.length), extension]
}

interface Rule {
  /** Returns the decoded destination, or null if the rule cannot express the target. */
  build(): string | null
}

/** Returns the rules by which the link resolved to its target, strictest first. */
function findRules(input: RetargetInput, written: string): Rule[] {
  const { before, page, newPage, target, newTarget } = input
  const path = decodePath(written)
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
  const [from, own] = [toUrl(before, page), toUrl(input.after, newPage)]
  const [old, url] = [toUrl(before, target), toUrl(input.after, newTarget)]
  if (from === undefined || own === undefined || url === undefined || old === undefined) return rules
  // A link to a URL stays if neither URL changes, because the pages define them in their front matter.
  if (from === own && old === url && rules.length === 0) return [{ build: () => path }]
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

/** Returns the usual URL of a page, or that of another file. */
function toUrl({ sites, facts }: SiteIndex, path: string): string | undefined {
  const site = findSite(sites, path)
  if (PAGE.test(path)) return toUrls(site, path, facts.get(path) ?? null)[0]
  const content = findContent(site, path)
  const folder = content?.folder ?? site.publicFolders.find((one) => isBelow(path, one))
  return folder === undefined ? undefined : `${content?.url ?? ''}/${toInner(path, folder)}`.replace(/^\/+/, '/')
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
