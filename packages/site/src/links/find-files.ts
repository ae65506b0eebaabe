import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { ContentFolder } from '../frameworks/site.ts'
import { isBelow, joinPath, PAGE, toFolder, toInner } from '../pages/paths.ts'
import type { SiteIndex } from './site-index.ts'

/**
 * Returns the files that a relative path may refer to: the exact file, a page named without its
 * extension, or a folder's index page.
 */
export function findFiles(index: SiteIndex, site: Site, page: string, path: string): string[] {
  const folder = toFolder(page)
  const content = findContent(site, page)
  const direct = findFrom(index, folder, path)
  if (direct.length > 0) return direct
  const suffixed = findSuffixed(index, content, page, path)
  if (suffixed.length > 0) return suffixed
  if (site.framework.acceptsRootPaths && content !== null && !path.startsWith('.')) {
    for (const root of listRoots(folder, content.folder, site.root)) {
      const found = findFrom(index, root, path)
      if (found.length > 0) return found
    }
  }
  if (!site.languageFallback || content === null || content.language === null) return []
  const inner = toInner(folder, content.folder)
  for (const main of site.content) {
    if (main.language !== null || main.kind !== 'docs') continue
    const found = findFrom(index, folder === content.folder ? main.folder : `${main.folder}/${inner}`, path)
    if (found.length > 0 && !isBelow(found[0] ?? '', content.folder)) return found
  }
  return []
}

/** Returns the version of a page in the language of the linking page, or in the main language. */
function findSuffixed(index: SiteIndex, content: ContentFolder | null, page: string, path: string): string[] {
  const { suffixes = [] } = content ?? {}
  const [, own] = /\.([^./]+)\.[^./]+$/.exec(page) ?? []
  const [, stem = '', extension = ''] = /^(.*?)(\.mdx?)?$/s.exec(path) ?? []
  for (const language of new Set([own, suffixes[0]])) {
    if (language === undefined || !suffixes.includes(language)) continue
    const found = findFrom(index, toFolder(page), `${stem}.${language}${extension || '.md'}`)
    if (found.length > 0) return found
  }
  return []
}

/**
 * Returns the folders that a path without a leading dot may start at. A content folder may contain
 * several versions, each with its own root.
 */
function listRoots(folder: string, content: string, site: string): string[] {
  const roots = [site]
  for (let at = folder; at !== content && isBelow(at, content); at = toFolder(at)) roots.unshift(toFolder(at))
  return roots
}

function findFrom(index: SiteIndex, folder: string, path: string): string[] {
  const target = joinPath(folder, path.replace(/\.html?$/i, ''))
  const exact = joinPath(folder, path)
  if (target === null || exact === null) return []
  const inner = target === '' ? '' : `${target}/`
  const names = [exact]
  if (!PAGE.test(target)) {
    if (target !== '' && !path.endsWith('/')) names.push(`${target}.mdx`, `${target}.md`)
    names.push(`${inner}index.mdx`, `${inner}index.md`, `${inner}README.md`, `${inner}readme.md`)
    if (path.endsWith('/')) names.push(`${target}.mdx`, `${target}.md`)
  }
  return names.filter((name) => index.files.has(name))
}
