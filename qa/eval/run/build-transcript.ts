import type { StoredRow, TranscriptStore } from '@corrigenda/worker/parts'

/** Builds an in-memory transcript for one attempt. */
export function buildTranscript(): TranscriptStore {
  const rows: StoredRow[] = []
  return {
    load: async () => structuredClone(rows),
    append: async (added) => {
      // Gives the rows the shape that they have when read from a database.
      rows.push(...(JSON.parse(JSON.stringify(added)) as StoredRow[]))
    },
  }
}
