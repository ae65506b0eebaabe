import { encodeText, spliceText, toLf, toLineNumber, toLines } from '@corrigenda/git/workspace'
import { findNearestLines } from './find-nearest-lines.ts'
import { openText, requireText } from './open-text.ts'
import { defineTool, ToolError } from './tool.ts'
import { getEntry, parsePath, requireAllowed, requireFile } from './tool-path.ts'
import { formatBrokenAnchors, formatNewProblems, formatSnippet, writeText } from './write-text.ts'

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
