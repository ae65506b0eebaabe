import type { Site } from '../frameworks/framework.ts'
import { joinPath, toFolder } from '../pages/paths.ts'

const FILE = /\.[a-z\d]{1,8}$/i
const ENDINGS = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.cjs', '.json', '.mdx', '.md', '.vue', '.astro', '.svelte']

/**
 * Returns the files that an import may refer to. Bundlers add endings, and replace `.js` by `.ts`.
 */
export function toImportPaths(site: Site, page: string, href: string): string[] {
  const path = href.startsWith('/')
    ? joinPath(site.root, href)
    : href.startsWith('@site/')
      ? joinPath(site.root, href.slice('@site/'.length))
      : joinPath(toFolder(page), href)
  if (path === null) return []
  const typed = /\.[cm]?jsx?$/.test(path) ? ['ts', 'tsx', 'mts'].map((ending) => path.replace(/[^.]+$/, ending)) : []
  const named = [path, ...typed]
  // A name such as `Button.client` also lacks its ending.
  return [
    ...named,
    ...ENDINGS.map((ending) => path + ending),
    ...(FILE.test(path) ? [] : ENDINGS.map((ending) => `${path}/index${ending}`)),
  ]
}
