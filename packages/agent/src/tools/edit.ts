import { encodeText, spliceText, toLf, toLineNumber, toLines } from '@corrigenda/git/workspace'
import { defineTool, ToolError } from './tool.ts'
import { getEntry, parsePath, requireAllowed, requireFile } from './tool-path.ts'
import {
  formatBrokenAnchors,
  formatNewProblems,
  formatSnippet,
  openText,
  requireText,
  writeText,
} from './write-text.ts'

/** Tool that replaces exact text in a file. */
export const edit = defineTool({
  name: 'edit',
  description:
    'Replace text in a file. `old_str` must match the file exactly, without the line numbers that view adds. It must occur exactly once, unless `expected_replacements` is set.',
  kind: 'write',
  async run(context, input) {
    const path = parsePath(input.path)
    requireText(input.old_str, 'old_str')
    requireText(input.new_str, 'new_str')
    requireAllowed(context.policy, path, 'write')
    requireFile(await getEntry(context.workspace, path))
    const file = await openText(context.workspace, path)
    const old = toLf(input.old_str)
    const replacement = toLf(input.new_str)
    const expected = input.expected_replacements ?? 1
    if (old === '') throw new ToolError('old_str is empty. Use insert to add text, or create for a new file.')
    if (old === replacement) throw new ToolError('old_str and new_str are the same, so nothing was changed.')

    const offsets = findAll(file.text, old)
    if (offsets.length === 0) throw new ToolError(explainMissing(path, file.text, old, replacement))
    if (offsets.length !== expected) {
      const lines = offsets.slice(0, 20).map((offset) => toLineNumber(file.text, offset))
      const one = offsets.length === 1
      throw new ToolError(
        `old_str occurs ${offsets.length} ${one ? 'time' : 'times'} in ${path} (${one ? 'line' : 'lines'} ${lines.join(', ')}${offsets.length > 20 ? ', …' : ''}), not ${expected}. Include more lines to select one occurrence, or set expected_replacements to ${offsets.length}. Nothing was changed.`,
      )
    }
    const raw = spliceText(
      file,
      offsets.map((start) => ({ start, end: start + old.length, replacement })),
    )
    if (raw === file.raw) throw new ToolError(`${path} already contains this text, so nothing was changed.`)
    const before = await context.workspace.read(path)
    await writeText(context, path, encodeText(raw, file.bom))
    const first = toLineNumber(file.text, offsets[0] ?? 0)
    const span = Math.max(1, toLines(replacement).length)
    const count = offsets.length === 1 ? '1 replacement' : `${offsets.length} replacements; the first`
    const anchors = await formatBrokenAnchors(context, path, before)
    const problems = `${await formatNewProblems(context, [path])}${anchors}`
    return `Edited ${path}: ${count} at line ${first}.\n${formatSnippet(toLf(raw), first, first + span - 1)}${problems}`
  },
})

function findAll(text: string, wanted: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) offsets.push(at)
  return offsets
}

function explainMissing(path: string, text: string, old: string, replacement: string): string {
  const already = replacement.trim() === '' ? -1 : text.indexOf(replacement)
  if (already !== -1) {
    return `old_str is not in ${path}, but new_str is already present at line ${toLineNumber(text, already)}. The edit may already be done. View the file.`
  }
  const near = findNearestLines(text, old)
  if (/^\d+\t/.test(old)) return `old_str is not in ${path}. Leave out the line numbers and tabs that view adds.`
  if (near.length === 0) return `old_str is not in ${path}. View the file and copy the text exactly.`
  return `old_str is not in ${path}. Did you mean (exact text of the file):\n${near.join('\n')}\nThe match is exact. Check spaces, quotes and line breaks.`
}

const MAX_LINES = 20_000
const MAX_ROWS = 12

/**
 * Returns numbered lines that resemble the wanted text. For multi-line text, returns the most
 * similar block. Returns an empty list if no line is similar.
 */
function findNearestLines(text: string, wanted: string): string[] {
  const lines = toLines(text).slice(0, MAX_LINES)
  const block = toLines(wanted)
  while (block.length > 0 && block[0]?.trim() === '') block.shift()
  const height = Math.min(block.length, MAX_ROWS)
  if (height === 0) return []
  const first = toPairs(block[0] ?? '')
  const scored = lines
    .map((line, index) => ({ index, score: toLikeness(toPairs(line), first) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, height === 1 ? 3 : 20)
  if (height === 1) return scored.map(({ index }) => formatLine(lines, index))

  let best = { index: -1, score: 0 }
  for (const { index } of scored) {
    let score = 0
    for (let row = 0; row < height; row += 1) {
      score += toLikeness(toPairs(lines[index + row] ?? ''), toPairs(block[row] ?? ''))
    }
    if (score > best.score) best = { index, score }
  }
  if (best.index === -1) return []
  return lines.slice(best.index, best.index + height).map((_, row) => formatLine(lines, best.index + row))
}

function formatLine(lines: readonly string[], index: number): string {
  const line = lines[index] ?? ''
  return `${index + 1}\t${line.length > 300 ? `${line.slice(0, 300)}…` : line}`
}

/** Counts the character pairs in a line, ignoring case and runs of whitespace. */
function toPairs(line: string): Map<string, number> {
  const plain = line.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, 400)
  const pairs = new Map<string, number>()
  for (let index = 0; index < plain.length - 1; index += 1) {
    const pair = plain.slice(index, index + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** Returns the Dice coefficient over character pairs, from 0 to 1. */
function toLikeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  let total = 0
  for (const [pair, count] of a) {
    total += count
    shared += Math.min(count, b.get(pair) ?? 0)
  }
  for (const count of b.values()) total += count
  return total === 0 ? 0 : (2 * shared) / total
}
