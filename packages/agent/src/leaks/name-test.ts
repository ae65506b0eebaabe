import type { TextLine } from '../text/text-line.ts'
import type { AddedText } from './added-texts.ts'
import type { LeakKind } from './leak.ts'

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
  /** Finds the names that a line of the added text could have from a source. */
  listNames(line: string): Iterable<string>
  /** Returns names that a file shows to be internal, at least those among the wanted ones. */
  listInternal(path: string, text: string, wanted: ReadonlySet<string>): Iterable<string>
}

/** Returns the names of all forms of the texts, once per place. */
export function listCandidates(
  texts: readonly AddedText[],
  kind: NameCandidate['kind'],
  listNames: (line: string, at: TextLine) => Iterable<string>,
): NameCandidate[] {
  const found = new Map<string, NameCandidate>()
  for (const text of texts) {
    for (const line of text.views.flat()) {
      for (const value of listNames(line.text, line)) {
        found.set(`${value}\n${text.name}\n${line.line}`, { kind, value, text, line: line.line })
      }
    }
  }
  return [...found.values()]
}
