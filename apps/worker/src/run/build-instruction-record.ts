import { listQuoted } from '@corrigenda/agent/loop'
import type { StoredRow } from '@corrigenda/agent/model'
import type { NewJobEvent } from '@corrigenda/contracts'
import { hashObject } from '@corrigenda/git/objects'
import type { Workspace } from '@corrigenda/git/workspace'

/**
 * Repository instruction files that the model received in a run: those read at the start and those
 * in folders that the run opened.
 */
export interface InstructionRecord {
  /** Returns the paths in the order the model received them. */
  listPaths(): readonly string[]
  /** Returns an event for each file that appears in these rows for the first time in the run. */
  note(rows: readonly StoredRow[]): Promise<NewJobEvent[]>
}

/**
 * Builds the record from the transcript, so that it lists exactly the files that the model
 * received, even after a resume.
 * @param stored rows from the run's earlier attempts
 */
export function buildInstructionRecord(
  workspace: Pick<Workspace, 'readBase'>,
  stored: readonly StoredRow[],
): InstructionRecord {
  const known = new Map<string, { readonly truncated: boolean }>()
  let isFirst = true
  const read = (rows: readonly StoredRow[]) => {
    const fresh: { path: string; truncated: boolean }[] = []
    for (const { row } of rows) {
      if (row.role === 'user') {
        for (const { path, truncated } of listQuoted(row.content, { isFirst })) {
          if (known.has(path)) continue
          known.set(path, { truncated })
          fresh.push({ path, truncated })
        }
      }
      isFirst = row.role === 'header'
    }
    return fresh
  }
  read(stored)
  return {
    listPaths: () => [...known.keys()],
    async note(rows) {
      const events: NewJobEvent[] = []
      for (const { path, truncated } of read(rows)) {
        const bytes = await workspace.readBase(path)
        const version = bytes === null ? {} : { blob: hashObject('blob', bytes), bytes: bytes.length }
        events.push({ type: 'instructions.read', data: { path, ...version, truncated } })
      }
      return events
    },
  }
}
