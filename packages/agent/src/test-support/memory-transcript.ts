import type { Usage } from '@corrigenda/contracts'
import type { MemoryFile, MemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import type { StoredRow, TranscriptStore } from '../model/transcript.ts'

export interface MemoryTranscript extends TranscriptStore {
  readonly rows: StoredRow[]
  readonly usage: Usage | null
  /**
   * Called before each append is stored. Throwing simulates a crash before the commit. All further
   * appends then fail until `recover`.
   */
  beforeAppend: ((append: number) => void) | null
  /** Called after each append is stored. Throwing simulates a crash after the commit. */
  afterAppend: ((append: number) => void) | null
  /** Restores the workspace to its state at the last append, as a new worker would. */
  recover(): void
}

/** Builds an in-memory transcript that commits rows and workspace together, like the real store. */
export function buildMemoryTranscript(workspace: MemoryWorkspace): MemoryTranscript {
  const rows: StoredRow[] = []
  let files: ReadonlyMap<string, MemoryFile> = workspace.snapshot()
  let usage: Usage | null = null
  let appends = 0
  let crash: { readonly error: unknown } | null = null
  const run = (hook: MemoryTranscript['beforeAppend']) => {
    try {
      hook?.(appends)
    } catch (error) {
      crash = { error }
      throw error
    }
  }
  const store: MemoryTranscript = {
    rows,
    get usage() {
      return usage
    },
    beforeAppend: null,
    afterAppend: null,
    load: async () => structuredClone(rows),
    append: async (added, total) => {
      if (crash !== null) throw crash.error
      appends += 1
      run(store.beforeAppend)
      for (const row of added) {
        if (row.seq !== rows.length) throw new Error(`expected seq ${rows.length}, got ${row.seq}`)
        rows.push(JSON.parse(JSON.stringify(row)))
      }
      files = workspace.snapshot()
      usage = total
      run(store.afterAppend)
    },
    recover: () => {
      crash = null
      workspace.restore(files)
    },
  }
  return store
}
