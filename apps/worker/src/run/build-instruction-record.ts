import { listQuoted } from '@corrigenda/agent/loop'
import type { StoredRow } from '@corrigenda/agent/model'
import type { NewJobEvent } from '@corrigenda/contracts'
import { hashObject } from '@corrigenda/git/objects'
import type { Workspace } from '@corrigenda/git/workspace'

/** Which instruction files of the repository a run was shown: those read at the start, and those of folders it opened. */
export interface InstructionRecord {
  /** In the order in which the model met them. */
  listPaths(): readonly string[]
  /** Events for what these rows show for the first time in the run. */
  note(rows: readonly StoredRow[]): Promise<NewJobEvent[]>
}

/**
 * Read off the transcript, so that it is true for what the model was really sent, also after a resume.
 * @param stored what earlier attempts of the run left
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
