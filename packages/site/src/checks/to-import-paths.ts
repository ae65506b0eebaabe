import type { Site } from '../frameworks/framework.ts'
import { joinPath, toFolder } from '../pages/paths.ts'

const FILE = /\.[a-z\d]{1,8}$/i
const ENDINGS = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.cjs', '.json', '.mdx', '.md', '.vue', '.astro', '.svelte']

/**
 * Returns the files that an import may refer to. Bundlers add endings, and replace `.js` by `.ts`.
 * Returns an empty list for packages and unknown aliases.
 */
export function toImportPaths(site: Site, page: string, href: string): string[] {
  return toPlaces(site, page, href).flatMap((path) => (path === null ? [] : toFiles(path)))
}

function toPlaces({ root, aliases }: Site, page: string, href: string): (string | null)[] {
  if (href.startsWith('/')) return [joinPath(root, href)]
  if (href.startsWith('@site/')) return [joinPath(root, href.slice('@site/'.length))]
  if (/^\.{1,2}\//.test(href)) return [joinPath(toFolder(page), href)]
  const [alias] = aliases
    .filter(({ prefix }) => href.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)
  return alias === undefined ? [] : alias.folders.map((folder) => joinPath(folder, href.slice(alias.prefix.length)))
}

function toFiles(path: string): string[] {
  const typed = /\.[cm]?jsx?$/.test(path)
    ? ['ts', 'tsx', 'mts'].map((ending) => path.slice(0, path.lastIndexOf('.') + 1) + ending)
    : []
  const named = [path, ...typed]
  // A name such as `Button.client` also lacks its ending.
  return [
    ...named,
    ...ENDINGS.map((ending) => path + ending),
    ...(FILE.test(path) ? [] : ENDINGS.map((ending) => `${path}/index${ending}`)),
  ]
}
