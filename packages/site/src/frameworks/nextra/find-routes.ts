import type { ConfigFiles } from '../../config/config-files.ts'
import { dropIndex, PAGE, toAddress, toFolder, toInner } from '../../pages/paths.ts'
import type { ContentFolder } from '../site.ts'

/** The language at the end of a page's name, such as `.en-US` in `index.en-US.mdx`. */
const LANGUAGE = /\.[a-z]{2}(?:-[A-Z]{2})?$/

export interface Routes {
  /** Returns the URL of a page or folder, without its language. */
  toUrl(page: string): string
  /** Returns the pages at a URL, also those implemented in code. */
  find(url: string): readonly string[]
  /** Returns true if the URL is a folder or page. */
  has(url: string): boolean
  /** Returns the usual paths of the page at a URL. */
  toUsual(url: string): string[]
}

/** Maps the URLs of a Nextra site to its pages. */
export function findRoutes(files: ConfigFiles, content: readonly ContentFolder[]): Routes {
  const pages = new Map<string, string[]>()
  const folders = new Set<string>()
  const findFolder = (page: string) =>
    content.filter(({ folder }) => page.startsWith(`${folder}/`)).sort((a, b) => b.folder.length - a.folder.length)[0]
  const toUrl = (page: string) => {
    const found = findFolder(page)
    const inner = found === undefined ? page : toInner(page, found.folder)
    const isApp = found !== undefined && isAppFolder(found.folder)
    return toAddress(`${found?.url ?? ''}/${isApp ? toVisible(toFolder(inner)) : toRoute(dropName(inner), false)}`)
  }
  for (const { folder } of content) {
    for (const path of files.below(folder)) {
      const isRoute = isAppFolder(folder)
        ? /(?:^|\/)page\.(?:mdx?|[jt]sx?)$/.test(path)
        : /\.(?:mdx?|[jt]sx?)$/.test(path)
      if (!isRoute || /(?:^|\/)_meta\./.test(path)) continue
      const url = toUrl(path)
      pages.set(
        url,
        [...(pages.get(url) ?? []), path].sort((a, b) => Number(PAGE.test(b)) - Number(PAGE.test(a))),
      )
      for (let at = url; at !== '/' && at !== ''; at = `/${toFolder(at.slice(1))}`) folders.add(at)
    }
  }
  return {
    toUrl,
    find: (url) => pages.get(url) ?? [],
    has: (url) => pages.has(url) || folders.has(url),
    toUsual(url) {
      const around = content.filter(({ url: start }) => start === '/' || url.startsWith(`${start}/`))
      const length = Math.max(...around.map(({ url: start }) => start.length))
      return around.flatMap(({ folder, url: start }) => {
        const inner = toAddress(url.slice(start === '/' ? 0 : start.length)).slice(1)
        if (start.length < length || inner === '') return []
        return [isAppFolder(folder) ? `${folder}/${inner}/page.mdx` : `${folder}/${inner}.mdx`]
      })
    },
  }
}

export const isAppFolder = (folder: string): boolean => /(?:^|\/)app$/.test(folder)

/** Folders in parentheses group routes and are not part of URLs. */
const toVisible = (route: string): string => route.replace(/(^|\/)\([^/)]*\)(?=\/|$)/g, '')

const dropName = (path: string): string => path.replace(/\.(?:mdx?|markdown|[jt]sx?)$/i, '')

/** Returns the route of a page from its path without the extension. */
export function toRoute(path: string, isApp: boolean): string {
  const visible = toVisible(path)
  return isApp ? dropIndex(visible, /^page$/) : dropIndex(visible.replace(LANGUAGE, ''), /^index$/)
}
