import type { Site } from '../frameworks/framework.ts'
import { isIgnored } from '../frameworks/is-ignored.ts'
import { isBelow, joinPath, PAGE } from '../pages/paths.ts'
import type { SiteIndex } from './site-index.ts'

const NAMES = 'names: '

/**
 * Returns the area of a link by the name of a page or label. It is doubtful only if the base commit
 * has a link without a target whose name starts with the same word, because generated names are
 * similar.
 */
export function toNameArea(path: string): string {
  const [word = ''] = /[\p{L}\p{N}]+/u.exec(path) ?? []
  return `${NAMES}${PAGE.test(path) ? 'page' : 'label'} ${word.toLowerCase()}`
}

export function isNameArea(area: string | null): boolean {
  return area?.startsWith(NAMES) === true
}

/** Returns true if Git ignores one of the paths. A build may then create the file. */
export function isGenerated({ sites }: SiteIndex, paths: readonly string[]): boolean {
  return sites.some(
    ({ generated }) => generated !== undefined && paths.some((path) => isIgnored({ ignored: generated }, path)),
  )
}

/** Returns true if Git ignores Markdown pages of a site, so that a build may create some. */
export function mayGeneratePages({ sites }: SiteIndex, { content }: Site): boolean {
  const isInside = (path: string) => content.some(({ folder }) => isBelow(path, folder))
  return sites.some(({ generated = [] }) =>
    generated.some(({ folder, patterns }) =>
      patterns.some((pattern) => PAGE.test(pattern) && isInside(joinPath(folder, pattern.replace(/^\//, '')) ?? '')),
    ),
  )
}

/** Returns the files that a path without an extension may stand for. */
export function toPagePaths(path: string): string[] {
  return [path, ...['.md', '.mdx', '/index.md', '/index.mdx'].map((ending) => `${path}${ending}`)]
}
