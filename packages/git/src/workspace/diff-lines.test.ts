import { describe, expect, it } from 'vitest'
import { countChangedLines, diffLines } from './diff-lines.ts'
import { formatDiff, formatDiffStat } from './format-diff.ts'
import type { WorkspaceChange } from './workspace.ts'

/** Applies the hunks. Lines between them come from `before`. */
function apply(before: readonly string[], after: readonly string[]): string[] {
  const out: string[] = []
  let at = 0
  for (const hunk of diffLines(before, after)) {
    out.push(...before.slice(at, hunk.beforeStart), ...after.slice(hunk.afterStart, hunk.afterEnd))
    at = hunk.beforeEnd
  }
  return [...out, ...before.slice(at)]
}

describe('diffLines', () => {
  it.each<[before: string, after: string, added: number, removed: number]>([
    ['', '', 0, 0],
    ['abc', 'abc', 0, 0],
    ['', 'ab', 2, 0],
    ['ab', '', 0, 2],
    ['abc', 'axc', 1, 1],
    ['abcabba', 'cbabac', 2, 3],
    ['abcdef', 'abxcdyef', 2, 0],
    ['aXbXc', 'abc', 0, 2],
  ])('counts the changes from "%s" to "%s"', (before, after, added, removed) => {
    expect(countChangedLines([...before], [...after])).toEqual({ added, removed })
    expect(apply([...before], [...after])).toEqual([...after])
  })

  it('produces hunks that convert one text to the other, for 400 random pairs', () => {
    let seed = 7
    const random = (max: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      return seed % max
    }
    const text = () => Array.from({ length: random(14) }, () => 'abcd'[random(4)] ?? '')
    for (let round = 0; round < 400; round += 1) {
      const [before, after] = [text(), text()]
      expect(apply(before, after)).toEqual(after)
    }
  })

  it('treats files with few lines in common as rewritten, without computing the full diff', () => {
    const lines = (name: string) => Array.from({ length: 20_000 }, (_, n) => `${name} ${n}`)
    expect(diffLines(['same', ...lines('a')], ['same', ...lines('b')])).toEqual([
      { beforeStart: 1, beforeEnd: 20_001, afterStart: 1, afterEnd: 20_001 },
    ])
  })
})

describe('formatted changes', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const changes: WorkspaceChange[] = [
    { path: 'a.md', kind: 'modified', before: bytes('1\r\n2\r\n3\r\n'), after: bytes('1\r\nzwei\r\n3\r\n') },
    { path: 'b.md', kind: 'added', before: null, after: bytes('new\n') },
    { path: 'c.png', kind: 'deleted', before: Uint8Array.of(0, 1, 2), after: null },
  ]
  it('are summarized in one row per file', () => {
    expect(formatDiffStat(changes)).toBe('modified a.md (+1 -1)\nadded b.md (+1 -0)\ndeleted c.png (3 B, not text)')
    expect(formatDiffStat(changes, 1)).toBe('modified a.md (+1 -1)\n… and 2 more files')
  })
  it('have a diff with context, truncated at a line boundary', () => {
    expect(formatDiff(changes, 1000)).toBe(
      '--- a.md\n+++ a.md\n@@ line 2 @@\n 1\n-2\n+zwei\n 3\n--- (new file)\n+++ b.md\n@@ line 1 @@\n+new\n--- c.png\n+++ (deleted)\nnot text',
    )
    expect(formatDiff(changes, 25)).toBe('--- a.md\n+++ a.md\n[the rest of the diff is omitted; view the files]')
  })
})
