import { isSameStem, stem } from '../meaning/stem.ts'
import { rankPages, toTellingStems } from './find-page.ts'
import { isKept } from './guarded-paths.ts'
import { listPages, type PageInfo } from './list-pages.ts'
import type { Plan } from './plan.ts'
import { searchText } from './search-text.ts'
import { viewFiles } from './view-files.ts'

/** A part of a page below one heading. */
export interface Section {
  page: PageInfo
  /** Null for the part before the first heading. */
  heading: string | null
  text: string
}

const maxPages = 4
const maxSections = 4

/** Splits the lines of a page into its sections. Front matter is left out, and code stays whole. */
export function splitSections(page: PageInfo, lines: readonly string[]): Section[] {
  const start = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  const sections: Section[] = [{ page, heading: null, text: '' }]
  let isCode = false
  for (const line of lines.slice(start)) {
    if (/^\s*```/.test(line)) isCode = !isCode
    const heading = isCode ? null : (/^#{2,3} (.+)$/.exec(line)?.[1] ?? null)
    if (heading !== null) sections.push({ page, heading, text: '' })
    else {
      const last = sections.at(-1)
      if (last) last.text += `${line}\n`
    }
  }
  return sections.map((section) => ({ ...section, text: section.text.trim() })).filter(({ text }) => text !== '')
}

/** Collects the sections of the documentation that are about a topic, the most telling first. */
export function* collectSections(topic: string, except?: string): Plan<Section[]> {
  const wanted = [...new Set(toTellingStems(topic))]
  const [longest] = wanted.toSorted((a, b) => b.length - a.length)
  if (longest === undefined) return []
  const pages = (yield* listPages()).filter(({ path }) => path !== except && !isKept(path))
  const hits = yield* searchText({ query: longest, ignoreCase: true, glob: '**/*.{md,mdx}' })
  const named = rankPages(pages, topic).map(({ page }) => page.path)
  const counts = new Map<string, number>()
  for (const { path } of hits) counts.set(path, (counts.get(path) ?? 0) + 1)
  const mentioning = [...counts].sort((a, b) => b[1] - a[1]).map(([path]) => path)
  const paths = [...new Set([...named.slice(0, 2), ...mentioning])].slice(0, 2 * maxPages)
  const files = yield* viewFiles(paths)
  const sections = files.flatMap((file) => {
    const page = pages.find(({ path }) => path === file?.path)
    return file && page ? splitSections(page, file.lines) : []
  })
  const scored = sections
    .filter(({ text }) => isWhole(text))
    .map((section) => ({ section, score: toScore(section, wanted) }))
    .sort((a, b) => b.score - a.score)
  const least = Math.max(1, 0.6 * (scored[0]?.score ?? 0))
  return scored
    .filter(({ score }) => score >= least)
    .slice(0, maxSections)
    .map(({ section }) => section)
}

/** Words in a heading or a title count more than words in the text. */
function toScore({ page, heading, text }: Section, wanted: readonly string[]): number {
  const has = (part: string) => {
    const own = (
      part
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).map(stem)
    return wanted.filter((word) => own.some((one) => isSameStem(one, word))).length / wanted.length
  }
  const named = has(`${page.title} ${heading ?? ''}`)
  const inText = has(text)
  return inText + named >= 1 && Math.max(inText, named) > 0.6 ? inText + 2 * named : 0
}

/** False for a section that opens or closes a component of another section. */
function isWhole(text: string): boolean {
  const prose = text.replace(/^( *)```[\s\S]*?^\1```$/gm, '')
  const open = prose.match(/<[A-Z]\w*(?=[\s>])[^>]*(?<!\/)>/g)?.length ?? 0
  return open === (prose.match(/<\/[A-Z]\w*>/g)?.length ?? 0) && text.length < 2500
}
