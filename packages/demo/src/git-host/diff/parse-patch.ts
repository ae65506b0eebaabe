export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed' | 'note'
  readonly text: string
  /** 1-based line number, or null if the line does not exist on that side. */
  readonly before: number | null
  readonly after: number | null
}

export interface Hunk {
  /** Git's context for the hunk, usually the heading above it. */
  readonly heading: string
  readonly position: string
  readonly lines: readonly DiffLine[]
}

/** Parses the hunks of one file's patch, from its first `@@`. */
export function parsePatch(patch: string): Hunk[] {
  const hunks: { heading: string; position: string; lines: DiffLine[] }[] = []
  let before = 0
  let after = 0
  for (const line of patch.split('\n')) {
    const header = /^(@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@) ?(.*)$/.exec(line)
    if (header) {
      before = Number(header[2])
      after = Number(header[3])
      hunks.push({ position: header[1] ?? '', heading: header[4] ?? '', lines: [] })
      continue
    }
    const lines = hunks.at(-1)?.lines
    const text = line.slice(1)
    if (line.startsWith('+')) lines?.push({ kind: 'added', text, before: null, after: after++ })
    else if (line.startsWith('-')) lines?.push({ kind: 'removed', text, before: before++, after: null })
    else if (line.startsWith('\\')) lines?.push({ kind: 'note', text: text.trim(), before: null, after: null })
    else lines?.push({ kind: 'context', text, before: before++, after: after++ })
  }
  return hunks
}
