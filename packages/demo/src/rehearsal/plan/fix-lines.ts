import { type EditReport, editFiles, type TextEdit, toText } from './edit-files.ts'
import type { Plan } from './plan.ts'
import { buildUniqueEdit } from './unique-edit.ts'
import type { ViewedFile } from './view-files.ts'

/** A changed line, 1-based. */
export interface LineFix {
  path: string
  line: number
  newText: string
}

/** Replaces single lines of files that have been read. */
export function* fixLines(say: string, files: readonly ViewedFile[], fixes: readonly LineFix[]): Plan<EditReport> {
  const edits: TextEdit[] = []
  for (const { path, line, newText } of fixes) {
    const file = files.find((one) => one.path === path)
    if (!file) continue
    const before = file.lines.slice(0, line - 1)
    const start = before.reduce((sum, text) => sum + text.length + 1, 0)
    edits.push(buildUniqueEdit(path, toText(file), start, start + (file.lines[line - 1] ?? '').length, newText))
  }
  if (edits.length === 0) return { done: [], failed: [] }
  return yield* editFiles(say, edits)
}
