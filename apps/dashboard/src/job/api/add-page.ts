import type { TranscriptPage } from '@corrigenda/contracts'

/** Appends a page to earlier ones. Its runs and messages replace older copies of the same ones. */
export function addPage(known: TranscriptPage | undefined, page: TranscriptPage): TranscriptPage {
  const merge = <T extends { readonly id: string }>(before: readonly T[] = [], now: readonly T[]) => [
    ...new Map([...before, ...now].map((one) => [one.id, one])).values(),
  ]
  const messages = merge(known?.messages, page.messages)
  return {
    ...page,
    runs: merge(known?.runs, page.runs),
    messages: messages.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)),
    rows: [...(known?.rows ?? []), ...page.rows],
  }
}
