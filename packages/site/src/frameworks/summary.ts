import type { ConfigFile, ConfigFiles } from '../config/config-files.ts'
import { decodePath, dropIndex, joinPath, PAGE } from '../pages/paths.ts'
import { addEntry, type NavigationDraft } from './build-site.ts'
import type { EntryPlace, PagePlace } from './framework.ts'
import { toRelativeEntry } from './to-relative-entry.ts'

const LINK = /\[((?:[^[\]\\\n]|\\.){0,300})\]\([ \t]{0,20}<?([^)>\s]{1,500})>?(?:[ \t]+"[^"\n]{0,1000}")?[ \t]{0,20}\)/g

/**
 * Reads the links in a `SUMMARY.md` as navigation entries. Headings and indentation define the
 * groups.
 * @param folder of relative paths
 * @param root the folder of paths that start with a slash
 */
export function readSummary(
  files: ConfigFiles,
  draft: NavigationDraft,
  file: ConfigFile,
  folder: string,
  root = folder,
): void {
  const trail: { readonly indent: number; readonly label: string }[] = []
  let offset = 0
  let heading: string[] = []
  for (const line of file.text.split('\n')) {
    const title = /^#{1,6}[ \t](.*)$/s.exec(line)?.[1]?.trim() ?? ''
    if (title !== '') heading = [title]
    const indent = line.length - line.trimStart().length
    for (const match of line.slice(0, 10_000).matchAll(LINK)) {
      while ((trail.at(-1)?.indent ?? -1) >= indent) trail.pop()
      const [whole, label = '', target = ''] = match
      const start = offset + match.index + whole.indexOf(target, label.length + 2)
      const path = decodePath(target.replace(/[?#].*$/s, ''))
      const around = [...heading, ...trail.map((group) => group.label)]
      trail.push({ indent, label })
      if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) continue
      const full = joinPath(path.startsWith('/') ? root : folder, path.replace(/\/$/, '/README.md'))
      const literal = { kind: 'string' as const, value: target, start, end: start + target.length }
      const candidates = full === null ? [] : [full]
      addEntry(
        files,
        draft,
        { file, literal },
        { trail: [...around, label], candidates, exact: full !== null && PAGE.test(full) },
      )
    }
    offset += line.length + 1
  }
}

/** Returns the URLs of a page in a book. `README.md` is the index page of its folder. */
export function toSummaryRoutes({ route }: PagePlace): string[] {
  return [dropIndex(route, /^readme$/i), route]
}

/** Returns a relative path that is a valid Markdown link destination. */
export function toSummaryEntry(input: EntryPlace): string {
  return toRelativeEntry(input).replace(/[\s()<>]/g, (char) =>
    char === '(' ? '%28' : char === ')' ? '%29' : encodeURIComponent(char),
  )
}
