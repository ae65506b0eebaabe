import { isBelow, joinPath, toFolder } from '../pages/paths.ts'

/** What the code of a page may refer to, and which notations run code in it. */
export interface PagePlace {
  readonly path: string
  /** The folder that included files must be in; '' for the whole repository. */
  readonly root: string
  /** Folders that a path with a leading slash, or without dots, can also refer to. */
  readonly folders: readonly string[]
  /** Notations of the page's framework for references to files. */
  readonly forms: ReadonlySet<string>
  /** True if the file is a template, in which macros run. */
  readonly isTemplate: boolean
  /** True if the site's configuration contains a word. */
  mentions(word: string): boolean
  /** True if pages may include the regular file with this path. */
  exists(path: string): boolean
}

/** A resource of Antora: `partial$a.adoc`, optionally with a component and a module. */
const RESOURCE = /^(?:[\w.@-]+:){0,2}(?:partial|example|page|attachment|image)\$(?![/\\])([\w./ -]+)$/
/** Definitions that docutils contains, such as `<isonum.txt>`. */
const STANDARD = /^<[\w-]+\.txt>$/

/** Returns true if an included path is a visible file of the documentation. */
export function isInside(href: string, { path, root, folders, exists }: PagePlace): boolean {
  if (STANDARD.test(href)) return true
  const resource = RESOURCE.exec(href)?.[1]
  if (resource !== undefined) return !isOutside(resource)
  if (/^[a-z][a-z+.-]*:|^\/\/|[\\$!{}<>*]/i.test(href)) return false
  const inner = href.replace(/^(?:@(?:site)?\/|\/+)/, '')
  const isAbsolute = inner !== href
  const bases = isAbsolute ? folders : /^\.|\/\.\.\//.test(href) ? [toFolder(path)] : [toFolder(path), ...folders]
  return bases.some((folder) => {
    const target = joinPath(folder, inner)
    if (target === null || hasHidden(target)) return false
    return [root, ...folders].some((one) => isBelow(target, one)) && exists(target)
  })
}

/** Returns true for a URL, and for a path that is hidden or leads above the page's folder. */
export function isOutside(href: string): boolean {
  return /^[a-z][a-z+.-]*:|^\/\/|(?:^|\/)\.\.(?:\/|$)/i.test(href) || hasHidden(href)
}

const hasHidden = (path: string): boolean => path.split('/').some((part) => /^\.(?!\.?$)/.test(part))

/** Returns a form of an included path that a move of the page does not change. */
export const toIncluded = (href: string, { path }: PagePlace): string => joinPath(toFolder(path), href) ?? href
