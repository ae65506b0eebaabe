import type { DocSite } from '../model/doc-site.ts'
import type { DocPage } from '../model/read-page.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { editPage } from './edit-page.ts'
import { insertBlock } from './insert-block.ts'

/** Removes whole lines, or replaces them. The pattern's match must be one line without its end. */
function listLines(
  site: DocSite,
  pattern: RegExp,
  words: (line: string) => string | null,
  text: (page: DocPage) => string,
): DefectPlace[] {
  return site.content.flatMap((page) =>
    [...text(page).matchAll(pattern)].map((match): DefectPlace => {
      const build = () => {
        const changed = words(match[0])
        return changed === null ? null : editPage(page, match.index, match.index + match[0].length, changed)
      }
      return { where: `${page.path}:${page.text.slice(0, match.index).split('\n').length}`, build }
    }),
  )
}

/** Lists the closing lines of code fences without indentation. */
function listFences(site: DocSite): DefectPlace[] {
  return site.content.flatMap((page) => {
    const places: DefectPlace[] = []
    let open: string | null = null
    let start = 0
    for (const line of page.text.split('\n')) {
      const end = start + line.length
      const [, mark = ''] = /^(`{3,}|~{3,})/.exec(line) ?? []
      if (open === null && mark !== '') open = mark
      else if (open !== null && mark.startsWith(open) && line.trim() === mark) {
        const at = start
        places.push({
          where: `${page.path}:${page.text.slice(0, at).split('\n').length}`,
          build: () => editPage(page, at, end + 1, ''),
        })
        open = null
      }
      start = end + 1
    }
    return places
  })
}

/** Lines that end a block, per framework. */
const ENDS: Readonly<Record<string, RegExp>> = {
  docusaurus: /^:::[ \t]*$/gm,
  vitepress: /^:::[ \t]*$/gm,
  starlight: /^:::[ \t]*$/gm,
  sphinx: /^:::[ \t]*$/gm,
  mkdocs: /^\/\/\/[ \t]*$/gm,
  gitbook: /^\{%[ \t]*end(?:hint|tabs|tab|code|stepper|step|content-ref)[ \t]*%\}[ \t]*$/gm,
  hugo: /^\{\{[<%][ \t]*\/[ \t]*[\w/-]+[ \t]*[>%]\}\}[ \t]*$/gm,
}

function listUsedDefinitions(site: DocSite, random: () => number): DefectPlace[] {
  const gone = site.content.flatMap((page) =>
    [...page.masked.matchAll(/^\[(?!\^)([^\]\n]+)\]:[ \t]+\S.*$/gm)].flatMap((match): DefectPlace[] => {
      const label = match[1] ?? ''
      const body = page.masked.slice(0, match.index) + page.masked.slice(match.index + match[0].length)
      const uses = body.toLowerCase().split(`[${label.toLowerCase()}]`).length - 1
      if (uses === 0 || body.toLowerCase().includes(`[${label.toLowerCase()}]:`) || /^(?:x| |!\w+)$/i.test(label))
        return []
      return [
        {
          where: `${page.path}: [${label}]`,
          build: () => editPage(page, match.index, match.index + match[0].length, ''),
        },
      ]
    }),
  )
  const added = site.content.map((page) => ({
    where: page.path,
    build: () => insertBlock(page, random, 'See [the reference][no-such-reference] for details.'),
  }))
  return gone.length > 0 ? [...gone, ...added.slice(0, gone.length)] : added
}

export const BLOCK_DEFECTS: readonly DefectKind[] = [
  { id: 'fence-open', group: 'more', list: listFences },
  {
    id: 'admonition-open',
    group: 'more',
    frameworks: Object.keys(ENDS),
    list: (site) =>
      listLines(
        site,
        ENDS[site.layout.framework] ?? /$^/g,
        () => '',
        ({ masked }) => masked,
      ),
  },
  {
    id: 'table-columns',
    group: 'more',
    list: (site) =>
      listLines(
        site,
        /^\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+(?:[ \t]*:?-{2,}:?[ \t]*)?$/gm,
        (line) => {
          const changed = line.replace(/[ \t]*:?-{2,}:?[ \t]*\|/, '')
          return /-/.test(changed) ? changed : null
        },
        ({ masked }) => masked,
      ),
  },
  { id: 'reference-undefined', group: 'more', list: listUsedDefinitions },
]
