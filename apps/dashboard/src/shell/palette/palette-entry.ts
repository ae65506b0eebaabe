import type { IconName } from '../../components/icon.tsx'

/** An entry of the command palette. */
export interface PaletteEntry {
  readonly id: string
  readonly label: string
  /** Text after the label, such as the state of a job. */
  readonly detail?: string
  /** Keyboard shortcut that does the same. */
  readonly keys?: string
  /** Further words that find the entry. */
  readonly words?: string
  readonly icon: IconName
  readonly run: () => void
}

export interface PaletteGroup {
  readonly title: string
  readonly entries: readonly PaletteEntry[]
}

/**
 * Returns the entries that contain every word of the query at the beginning of a word, or anywhere
 * if the query's word has at least three characters. The order is kept.
 */
export function filterEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const asked = toWords(query)
  return entries.filter(({ label, words = '' }) => {
    const text = `${label} ${words}`.toLowerCase()
    const known = toWords(text)
    return asked.every((word) => known.some((one) => one.startsWith(word)) || (word.length > 2 && text.includes(word)))
  })
}

const toWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean)
