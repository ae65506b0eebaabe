import type { ConfigFiles } from '../../config/config-files.ts'
import { isBelow, PAGE, toFolder } from '../../pages/paths.ts'
import type { ContentFolder } from '../site.ts'

/** Matches `_meta` files, and those of Nextra 1, which have no underscore. */
export const META =
  /(?:^|\/)_meta(?:\.global|\.[a-z]{2}(?:-[A-Za-z]{2,4})?)?\.(?:json|[cm]?[jt]sx?)$|(?:^|\/)pages\/(?:[^/]+\/){0,9}meta\.json$/
const BASE = /(?:^|\/)(?:pages|content|app)$/
const LANGUAGE = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/
/** Matches the route of the app that renders the content folder. */
const CATCH_ALL = /(?:^|\/)\[\[?\.\.\.([^\]/]+)\]\]?\/page\.[jt]sx?$/

interface Contents {
  readonly root: string
  /** Folders with `_meta` files and pages. */
  readonly bases: readonly string[]
  readonly content: readonly ContentFolder[]
  /** Languages that are folders of the content or endings of page names, in order. */
  readonly codes: readonly string[]
}

/**
 * Finds the folders with pages of a Nextra site: `pages`, or `app` and `content`, which a catch-all
 * route of the app renders.
 */
export function findContents(files: ConfigFiles, first: string): Contents {
  const own = toBaseFolder(toFolder(first))
  const root = BASE.test(own) ? toFolder(own).replace(/(?:^|\/)src$/, '') : own
  const toInRoot = (name: string) => (root === '' ? name : `${root}/${name}`)
  const hasPages = (folder: string) => files.below(folder).some((path) => META.test(path) || PAGE.test(path))
  const usual = ['content', 'src/content', 'app', 'src/app', 'pages', 'src/pages'].map(toInRoot)
  const bases = [...new Set([own, ...usual.filter((folder) => files.hasFolder(folder) && hasPages(folder))])]
  const apps = ['app', 'src/app'].map(toInRoot).filter(files.hasFolder)
  const codes = new Set<string>()
  const content = bases.flatMap((folder): ContentFolder[] => {
    if (!folder.endsWith('content')) return [{ folder, url: '/', kind: 'docs', language: null }]
    const route = apps.map((app) => findContentRoute(files.below(app), app)).find((found) => found !== null) ?? []
    const url = `/${route.filter((part) => !part.startsWith('[')).join('/')}`
    const languages = route.some((part) => part.startsWith('[')) ? findLanguages(files, folder) : []
    for (const code of languages) codes.add(code)
    if (languages.length === 0) return [{ folder, url, kind: 'docs', language: null }]
    // Links without a language lead to the first one.
    const main = languages.find((code) => code.startsWith('en')) ?? languages[0]
    return languages.map((code) => {
      const isMain = code === main
      const address = isMain ? url : `/${code}${url === '/' ? '' : url}`
      return { folder: `${folder}/${code}`, url: address, kind: 'docs', language: isMain ? null : code }
    })
  })
  return { root, bases, content, codes: [...codes] }
}

/** Returns the segments before the catch-all route for the content, or null. */
function findContentRoute(paths: readonly string[], app: string): string[] | null {
  const found = paths.flatMap((path) => {
    const match = CATCH_ALL.exec(path)
    if (match === null || !isBelow(path, app)) return []
    const inner = path.slice(app.length + 1, Math.max(app.length + 1, match.index))
    const parts = inner.split('/').filter((part) => part !== '' && !/^\(.*\)$/.test(part))
    return [{ parts, isContent: match[1] === 'mdxPath' }]
  })
  found.sort((a, b) => Number(b.isContent) - Number(a.isContent) || a.parts.length - b.parts.length)
  return found[0]?.parts ?? null
}

function findLanguages(files: ConfigFiles, folder: string): string[] {
  const names = new Set(files.below(folder).map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))
  return [...names].filter((name) => LANGUAGE.test(name) && files.hasFolder(`${folder}/${name}`))
}

/**
 * Returns the route folder that a `_meta` file belongs to: the outermost `pages`, `content` or
 * `app` folder, or else the file's folder.
 */
function toBaseFolder(folder: string): string {
  const parts = folder.split('/')
  for (let length = 1; length <= parts.length; length += 1) {
    const path = parts.slice(0, length).join('/')
    if (BASE.test(path)) return path
  }
  return folder
}
