import { countText, type TextEdit } from './edit-files.ts'

/**
 * Builds the edit that replaces `text[start, end)`. It includes as many preceding lines as
 * necessary for its old text to be unique in the file.
 */
export function buildUniqueEdit(path: string, text: string, start: number, end: number, replacement: string): TextEdit {
  let from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', end) === -1 ? text.length : text.indexOf('\n', end)
  while (from > 0 && countText(text, text.slice(from, to)) > 1) from = text.lastIndexOf('\n', from - 2) + 1
  const newText = text.slice(from, start) + replacement + text.slice(end, to)
  return { path, oldText: text.slice(from, to), newText, count: 1 }
}
