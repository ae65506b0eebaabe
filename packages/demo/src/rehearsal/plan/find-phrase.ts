import { isKept } from './guarded-paths.ts'
import type { Plan } from './plan.ts'
import { searchText } from './search-text.ts'

export interface Phrase {
  from: string
  to: string
}

/**
 * Finds how the documentation writes a phrase: as given, in another case, or as a command after the
 * name of its program. Returns null if no page contains it.
 */
export function* findPhrase(
  from: string,
  to: string,
  { glob, isCommand }: { glob: string | null; isCommand: boolean },
): Plan<Phrase | null> {
  const all = yield* searchText({ query: from, ignoreCase: true, ...(glob === null ? {} : { glob }) })
  const hits = all.filter(({ path }) => !isKept(path))
  if (hits.length === 0) return null
  const escaped = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (isCommand && /^[\w-]+$/.test(from)) {
    const program = findMostFrequent(
      hits,
      new RegExp(`\\b[a-z][a-z0-9-]* ${escaped}\\b`, 'g'),
      /^(?:the|a|an|this|that|and|or|to|of) /,
    )
    if (program) return { from: program, to: `${program.slice(0, -from.length)}${to.split(/\s+/).at(-1)}` }
  }
  if (hits.some(({ text }) => text.includes(from))) return { from, to }
  const written = findMostFrequent(hits, new RegExp(escaped, 'gi'))
  return written === null ? null : { from: written, to }
}

function findMostFrequent(hits: readonly { text: string }[], pattern: RegExp, not?: RegExp): string | null {
  const counts = new Map<string, number>()
  for (const { text } of hits) {
    for (const [found] of text.matchAll(pattern)) if (!not?.test(found)) counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
