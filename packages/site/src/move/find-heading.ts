import type { Heading } from '../pages/find-headings.ts'
import { foldAnchor } from '../pages/fold-anchor.ts'
import { MoveError } from './move-error.ts'

const MAX_SHOWN = 40

/**
 * Finds a heading by its text or its anchor. Returns it with its position in the list.
 * @throws MoveError if no heading or several headings match, or if the text is computed
 */
export function findHeading(
  page: string,
  headings: readonly Heading[],
  ids: readonly string[],
  wanted: string,
): { index: number; heading: Heading } {
  const plain = wanted.trim().replace(/^#{1,6}[ \t]+/, '')
  const anchor = plain.replace(/^#/, '')
  const fold = (text: string) =>
    text
      .replace(/[`*_\\]/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  const tests: ((heading: Heading, id: string) => boolean)[] = [
    ({ text }) => text === plain,
    ({ text }) => fold(text) === fold(plain),
    (_, id) => id === anchor,
    (_, id) => id !== '' && foldAnchor(id) === foldAnchor(anchor),
  ]
  const found = tests
    .map((test) => headings.flatMap((heading, i) => (test(heading, ids[i] ?? '') ? [i] : [])))
    .find((indexes) => indexes.length > 0)
  const [index] = found ?? []
  const list = (indexes: readonly number[]) =>
    indexes.slice(0, MAX_SHOWN).map((i) => `${headings[i]?.line}: ${headings[i]?.text} (#${ids[i]})`)
  const heading = index === undefined ? undefined : headings[index]
  if (found === undefined || index === undefined || heading === undefined) {
    throw new MoveError(
      `Nothing was changed: ${page} has no heading ${JSON.stringify(wanted.slice(0, 200))}. Headings written as HTML cannot be renamed. Headings by line:\n${list([...headings.keys()]).join('\n')}`,
    )
  }
  if (found.length > 1) {
    throw new MoveError(
      `Nothing was changed: ${page} has several headings with this text. Select one by its anchor:\n${list(found).join('\n')}`,
    )
  }
  if (heading.isComputed || heading.text === '')
    throw new MoveError(`Nothing was changed: an expression or a tag computes the text of this heading in ${page}.`)
  return { index, heading }
}
