import { encodeText, spliceText, type TextFile, toLf, toLines } from '@corrigenda/git/workspace'
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

/** Tool that inserts whole lines after a given line. */
export const insert = defineTool({
  name: 'insert',
  description: 'Insert text as whole lines after a line of a file. 0 inserts at the top.',
  kind: 'write',
  async run(context, input) {
    const path = parsePath(input.path)
    requireText(input.insert_text, 'insert_text')
    if (input.insert_text === '') throw new ToolError('insert_text is empty, so nothing was changed.')
    requireAllowed(context.policy, path, 'write')
    requireFile(await getEntry(context.workspace, path))
    const file = await openText(context.workspace, path)
    const total = toLines(file.text).length
    const line = input.insert_line
    if (line < 0 || line > total) {
      const lines = `${total} ${total === 1 ? 'line' : 'lines'}`
      throw new ToolError(`insert_line ${line} is out of range. ${path} has ${lines}, so use 0 to ${total}.`)
    }
    const raw = insertLines(file, line, toLf(input.insert_text))
    const before = await context.workspace.read(path)
    await writeText(context, path, encodeText(raw, file.bom))
    const added = toLines(toLf(input.insert_text)).length
    const now = toLf(raw)
    const anchors = await formatBrokenAnchors(context, path, before)
    const problems = `${await formatNewProblems(context, [path])}${anchors}`
    return `Inserted ${added} ${added === 1 ? 'line' : 'lines'} after line ${line} of ${path}.\n${formatSnippet(now, line + 1, line + added)}${problems}`
  },
})

/** Inserts lines. Does not add a final newline at the end of a file that lacks one. */
function insertLines(file: TextFile, line: number, text: string): string {
  const offset = toOffset(file.text, line)
  const unended = offset > 0 && file.text[offset - 1] !== '\n'
  const replacement = unended ? `\n${text}` : text.endsWith('\n') ? text : `${text}\n`
  return spliceText(file, [{ start: offset, end: offset, replacement }])
}

/** Returns the offset where the text after a line starts. */
function toOffset(text: string, line: number): number {
  let offset = 0
  for (let count = 0; count < line; count += 1) {
    const end = text.indexOf('\n', offset)
    if (end === -1) return text.length
    offset = end + 1
  }
  return offset
}
