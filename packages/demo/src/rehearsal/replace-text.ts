import { findScope, isKept } from './find-pages.ts'
import {
  countText,
  type Ending,
  editFiles,
  type Hit,
  type Plan,
  plural,
  Question,
  quote,
  searchText,
  type TextEdit,
  toList,
  toText,
  viewFiles,
} from './plan.ts'

const MAX_FILES = 80

interface Replacement {
  from: string
  to: string
  /** The files in which the text is replaced, or null for all. */
  glob: string | null
  /** True if the names are those of commands, which the pages write after the name of the program. */
  isCommand: boolean
}

/** Replaces a text or the name of a command, on the pages that a phrase names or on all. */
export function* replaceOnPages(
  { from, to, isCommand }: Omit<Replacement, 'glob'>,
  phrase: string | null,
): Plan<Ending> {
  const glob = yield* findScope(phrase, (path) => `Replace "${from}" with "${to}" in ${path}`)
  const where = glob === null ? '' : ` in ${glob}`
  if (from === to) return { outcome: 'no_change', reason: `${quote(from)} and ${quote(to)} are the same.` }
  const { written, edits, summary, notes } = yield* replaceText({ from, to, glob, isCommand })
  if (edits.length === 0) {
    const reason = `A search for ${quote(from)}${where} found no text to replace.`
    return { outcome: 'no_change', reason: toText([reason, ...notes]) }
  }
  const title = `Replace ${quote(written.from)} with ${quote(written.to)}${where.length < 30 ? where : ''}`
  const rows = toList(edits.map(({ path, count }) => `\`${path}\` (${count})`))
  return { outcome: 'changed', title, body: toText([summary, rows, ...notes]) }
}

interface ReplaceReport {
  /** The names as the pages write them. */
  written: Pick<Replacement, 'from' | 'to'>
  edits: TextEdit[]
  summary: string
  notes: string[]
}

/** Replaces every exact occurrence of a text, except in release notes and instructions. */
export function* replaceText({ from, to, glob, isCommand }: Replacement): Plan<ReplaceReport> {
  const found = yield* searchText({ query: from, label: quote(from), ignoreCase: true, glob })
  const hits = found.filter(({ path }) => !isKept(path))
  const written = findSpelling(hits, { from, to, isCommand })
  // A row of a search may be shortened, so the text can also be in a file without a row that has it.
  const paths = [...new Set(hits.map(({ path }) => path))].sort()
  if (paths.length > MAX_FILES)
    throw new Question(`${quote(from)} occurs in ${paths.length} files. Name the pages to change.`)
  const edits = (yield* viewFiles(paths)).flatMap(({ path, lines }) => {
    const count = countText(lines.join('\n'), written.from)
    return count === 0 ? [] : [{ path, oldText: written.from, newText: written.to, count }]
  })
  const kept = [...new Set(found.map(({ path }) => path))].filter(isKept)
  const notes =
    kept.length === 0
      ? []
      : [
          `Not changed, because they are release notes or instructions: ${kept.map((path) => `\`${path}\``).join(', ')}.`,
        ]
  const { done, failures } = yield* editFiles(`replacing ${quote(written.from)}`, edits)
  const total = done.reduce((sum, { count }) => sum + count, 0)
  const summary = `Replaced ${quote(written.from)} with ${quote(written.to)}: ${plural(total, 'occurrence')} in ${plural(done.length, 'file')}.`
  return { written, edits: done, summary, notes: failures === null ? notes : [...notes, failures] }
}

/**
 * Finds how the pages write a text: as given, as a command after the name of its program, or in
 * another case.
 */
function findSpelling(hits: readonly Hit[], { from, to, isCommand }: Omit<Replacement, 'glob'>) {
  const escaped = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (isCommand && /^[\w-]+$/.test(from)) {
    // In prose, an article can precede the name: "Ask the doctor".
    const program = findMostFrequent(
      hits,
      new RegExp(`\\b(?!(?:the|a|an|this|that|and|or|to|of) )[a-z][a-z0-9-]* ${escaped}\\b`, 'g'),
    )
    if (program) return { from: program, to: `${program.slice(0, -from.length)}${to.split(/\s+/).at(-1)}` }
  }
  if (hits.some(({ text }) => text.includes(from))) return { from, to }
  return { from: findMostFrequent(hits, new RegExp(escaped, 'gi')) ?? from, to }
}

function findMostFrequent(hits: readonly Hit[], pattern: RegExp): string | null {
  const counts = new Map<string, number>()
  for (const { text } of hits) {
    for (const [found] of text.matchAll(pattern)) counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
