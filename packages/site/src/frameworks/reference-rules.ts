import { joinPath, toFolder } from '../pages/paths.ts'
import type { SiteReading } from './site.ts'

/**
 * Returns the paths where a file may be that a page names, or null if the site may define other
 * places. A path that starts with `**` matches in every folder.
 */
export type ToPaths = (site: SiteReading, page: string, path: string) => readonly string[] | null

/**
 * How references in a notation are resolved: by their paths, as Markdown links (`link`), as names of
 * pages with or without their folders (`name`), as ids of documents (`id`), or as labels (`label`).
 */
export type ReferenceRule = ToPaths | 'link' | 'name' | 'id' | 'label'

const list = (path: string | null) => (path === null ? null : [path])

/** A path relative to the page. */
export const fromPage: ToPaths = (_, page, path) =>
  /^[/@~]|^[a-z]+:/i.test(path) ? null : list(joinPath(toFolder(page), path))

/** VitePress: relative to the page, or to the source folder after `@/`. */
export const fromSource: ToPaths = (site, page, path) =>
  path.startsWith('@/')
    ? site.content.flatMap(({ folder }) => list(joinPath(folder, path.slice(2))) ?? [])
    : fromPage(site, page, path)

/** Mintlify: a folder for snippets in the site's root. */
export const fromSnippets: ToPaths = (site, _, path) =>
  ['snippets', '_snippets'].flatMap((folder) =>
    ['', '.mdx', '.md'].flatMap((ending) => list(joinPath(site.root, `${folder}/${path}${ending}`)) ?? []),
  )

/** PyMdown Snippets: relative to a base path, which is not known. */
export const fromAnyFolder: ToPaths = (_site, _page, path) =>
  /^[a-z]+:|[$!{}]/i.test(path) || path.split('/').includes('..') ? null : [`**/${path.replace(/^(?:\.?\/)+/, '')}`]

/** MyST: relative to the page, or to the folder of the documents after a slash. */
export const fromDocument: ToPaths = (site, page, path) =>
  path.startsWith('/')
    ? site.content.flatMap(({ folder }) => list(joinPath(folder, path)) ?? [])
    : fromPage(site, page, path)

/** MyST: the name of a document, without its ending. */
export const fromDocumentName: ToPaths = (site, page, name) =>
  ['.md', '.rst', '.ipynb', '.txt'].flatMap((ending) => fromDocument(site, page, `${name}${ending}`) ?? [])

/** Docsy: relative to the page, or to the folder of the site or the content after a slash. */
export const fromContent: ToPaths = (site, page, path) => {
  const docs = site.content.flatMap(({ kind, folder }) => (kind === 'docs' ? [folder] : []))
  const folders = [toFolder(page), site.root, ...docs]
  const paths = folders.flatMap((folder) => list(joinPath(folder, path)) ?? [])
  // Hugo mounts files of other folders there.
  const isMounted = site.content.some(
    ({ kind, folder }) => kind === 'opaque' && paths.some((one) => one.startsWith(folder)),
  )
  return isMounted ? null : paths
}

/** Hugo: the templates of a shortcode, in the site or a theme. */
export const fromLayouts: ToPaths = (_site, _page, name) =>
  ['_shortcodes', 'shortcodes'].flatMap((folder) =>
    ['html', 'md'].map((ending) => `**/layouts/${folder}/${name}.${ending}`),
  )
