import type { StoredRow, TranscriptStore } from '@corrigenda/worker'

/** A transcript that is kept for as long as the attempt lasts. */
export function buildTranscript(): TranscriptStore {
  const rows: StoredRow[] = []
  return {
    load: async () => structuredClone(rows),
    append: async (added) => {
      // As a database would give them back.
      rows.push(...(JSON.parse(JSON.stringify(added)) as StoredRow[]))
    },
  }
}
