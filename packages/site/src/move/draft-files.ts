import { buildConfigFiles, type ConfigFile } from '../config/config-files.ts'
import { decodeText, encodeText, type Splice, spliceText, type TextFile } from '../workspace/text-file.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Pending file contents. Edits are collected here before files are written. */
export interface DraftFiles {
  /**
   * Returns the current text (LF line endings, no byte order mark), or null if the file is not
   * UTF-8 text or does not exist.
   */
  find(path: string): Promise<TextFile | null>
  /** Parses the file as configuration, including the edits so far. */
  openConfig(path: string): Promise<ConfigFile | null>
  /**
   * Replaces parts of the text that `find` returned last. The splices must not overlap and may be
   * in any order.
   */
  splice(path: string, splices: readonly Splice[]): Promise<void>
  /** Returns the new bytes of every changed file. */
  toWrites(): ReadonlyMap<string, Uint8Array>
}

export function buildDraftFiles(workspace: Pick<Workspace, 'find' | 'read'>): DraftFiles {
  const files = new Map<string, TextFile | null>()
  const changed = new Set<string>()

  const find = async (path: string): Promise<TextFile | null> => {
    const known = files.get(path)
    if (known !== undefined) return known
    const entry = await workspace.find(path)
    const decoded = entry?.kind === 'file' ? decodeText(await workspace.read(path)) : 'binary'
    const file = typeof decoded === 'string' ? null : decoded
    files.set(path, file)
    return file
  }

  return {
    find,
    async openConfig(path) {
      const file = await find(path)
      if (file === null) return null
      const bytes = encodeText(file.raw, file.bom)
      return buildConfigFiles({ paths: [path], read: async () => bytes }).open(path)
    },
    async splice(path, splices) {
      const file = await find(path)
      if (file === null || splices.length === 0) return
      const raw = spliceText(
        file,
        splices.toSorted((a, b) => a.start - b.start || a.end - b.end),
      )
      const decoded = decodeText(encodeText(raw))
      if (typeof decoded === 'string') throw new Error('an edit of a text file did not produce text')
      files.set(path, { ...decoded, bom: file.bom, eol: file.eol })
      changed.add(path)
    },
    toWrites() {
      return new Map(
        [...changed].flatMap((path) => {
          const file = files.get(path)
          return file ? [[path, encodeText(file.raw, file.bom)] as const] : []
        }),
      )
    },
  }
}
