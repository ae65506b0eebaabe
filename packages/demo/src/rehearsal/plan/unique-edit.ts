import { countText, type TextEdit } from './edit-files.ts'

/**
 * The edit that replaces `text[start, end)`, with as many lines before it as are needed for its old text to stand only
 * once in the file.
 */
export function buildUniqueEdit(path: string, text: string, start: number, end: number, replacement: string): TextEdit {
  let from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', end) === -1 ? text.length : text.indexOf('\n', end)
  while (from > 0 && countText(text, text.slice(from, to)) > 1) from = text.lastIndexOf('\n', from - 2) + 1
  const newText = text.slice(from, start) + replacement + text.slice(end, to)
  return { path, oldText: text.slice(from, to), newText, count: 1 }
}
