import type { Pacer } from './build-pacer.ts'
import type { LeakKind } from './leak.ts'
import type { AddedText } from './list-added-texts.ts'

/** A name in the added text. It is a finding if a private source shows that it is internal. */
export interface NameCandidate {
  readonly kind: Exclude<LeakKind, 'passage'>
  /** Lower case for hosts. */
  readonly value: string
  readonly text: AddedText
  readonly line: number
}

/** Tests the files of one source for the names. */
export interface NameTest {
  readonly kind: NameCandidate['kind']
  /** Finds the names that the added text could have from a source. */
  listCandidates(texts: readonly AddedText[], pace: Pacer): Promise<NameCandidate[]>
  /** Returns names that a file shows to be internal, at least those among the wanted ones. */
  listInternal(path: string, readText: () => string, wanted: ReadonlySet<string>): Iterable<string>
}

/** Calls `visit` for every line in each of its forms. */
export async function visitLines(
  texts: readonly AddedText[],
  pace: Pacer,
  visit: (text: string, line: number, from: AddedText) => void,
): Promise<void> {
  for (const from of texts) {
    for (const view of from.views) {
      for (const { text, line } of view) {
        visit(text, line, from)
        await pace()
      }
    }
  }
}

/** Returns every candidate once per place. */
export function toUnique(candidates: readonly NameCandidate[]): NameCandidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ kind, value, text, line }) => {
    const key = `${kind}\n${value}\n${text.name}\n${line}`
    return !seen.has(key) && seen.add(key)
  })
}
