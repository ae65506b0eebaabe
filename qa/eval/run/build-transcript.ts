import type { StoredRow, TranscriptStore } from '@corrigenda/worker'

/** Builds a transcript that is stored for the duration of the attempt. */
export function buildTranscript(): TranscriptStore {
  const rows: StoredRow[] = []
  return {
    load: async () => structuredClone(rows),
    append: async (added) => {
      // The same shape as read from a database.
      rows.push(...(JSON.parse(JSON.stringify(added)) as StoredRow[]))
    },
  }
}
