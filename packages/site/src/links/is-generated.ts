import type { Site } from '../frameworks/framework.ts'
import { isIgnored } from '../frameworks/is-ignored.ts'
import { isBelow, joinPath, PAGE } from '../pages/paths.ts'
import type { SiteIndex } from './site-index.ts'

/** Areas of links by name, which are doubtful only if the base commit has such links without a target. */
export const GENERATED_PAGES = 'generated pages'
export const GENERATED_LABELS = 'generated labels'

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
  return [path, `${path}.md`, `${path}/index.md`]
}
