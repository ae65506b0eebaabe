import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { HostState } from './host-state.ts'
import type { RepositoryRecord } from './types.ts'

interface Saved {
  readonly version: 1
  readonly records: Record<string, RepositoryRecord>
  readonly moved: Record<string, string>
}

const SOON_MS = 100

/**
 * Reads the pull requests and settings from an earlier run with the same root, so that links to
 * them keep working.
 */
export function readStateFile(path: string): Pick<HostState, 'records' | 'moved'> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return { records: new Map(), moved: new Map() }
  }
  const saved = JSON.parse(text) as Saved
  return { records: new Map(Object.entries(saved.records)), moved: new Map(Object.entries(saved.moved)) }
}

export interface StateWriter {
  /** Schedules a write within 100 ms. Several changes share one write. */
  readonly save: () => void
  /**
   * Writes pending changes now. A handler whose connection was cut may still call `save`
   * afterwards, but those changes are not written.
   */
  readonly close: () => void
}

export function openStateWriter(path: string, read: () => Pick<HostState, 'records' | 'moved'>): StateWriter {
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const flush = (): void => {
    if (!timer) return
    clearTimeout(timer)
    timer = null
    // If a test has already removed the folder, the repositories no longer exist and no state is
    // needed.
    if (!existsSync(dirname(path))) return
    const { records, moved } = read()
    const saved: Saved = { version: 1, records: Object.fromEntries(records), moved: Object.fromEntries(moved) }
    writeFileSync(`${path}.new`, JSON.stringify(saved))
    renameSync(`${path}.new`, path)
  }
  return {
    close: () => {
      flush()
      closed = true
    },
    save: () => {
      if (closed) return
      timer ??= setTimeout(flush, SOON_MS).unref()
    },
  }
}
