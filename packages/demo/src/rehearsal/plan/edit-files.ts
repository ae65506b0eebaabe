import { type Call, callTools, type Plan, toReason } from './plan.ts'
import { type ViewedFile, viewFiles } from './view-files.ts'

export interface TextEdit {
  path: string
  oldText: string
  newText: string
  count: number
}

export interface EditReport {
  done: TextEdit[]
  failed: { edit: TextEdit; reason: string }[]
}

/**
 * Performs exact replacements. If an edit is rejected because of its count, recounts the
 * occurrences and retries the edit once.
 */
export function* editFiles(say: string, edits: readonly TextEdit[]): Plan<EditReport> {
  const { done, failed } = yield* tryEdits(say, edits)
  if (failed.length === 0) return { done, failed }
  const unknown = failed.filter(({ reason }) => readCount(reason) === null).map(({ edit }) => edit.path)
  const files = unknown.length > 0 ? yield* viewFiles([...new Set(unknown)]) : []
  const again: TextEdit[] = []
  const given: EditReport['failed'] = []
  for (const failure of failed) {
    const { edit, reason } = failure
    const file = files.find((one) => one?.path === edit.path)
    const count = readCount(reason) ?? (file ? countText(toText(file), edit.oldText) : 0)
    if (count > 0 && count !== edit.count) again.push({ ...edit, count })
    else given.push(failure)
  }
  if (again.length === 0) return { done, failed: given }
  const second = yield* tryEdits(`${say} Retrying with exact counts.`, again)
  return { done: [...done, ...second.done], failed: [...given, ...second.failed] }
}

/** Returns the number of occurrences stated in the error, or null if it does not state one. */
function readCount(reason: string): number | null {
  const count = /\boccurs ([\d,]+) times?\b/.exec(reason)?.[1]
  return count ? Number(count.replaceAll(',', '')) : null
}

function* tryEdits(say: string, edits: readonly TextEdit[]): Plan<EditReport> {
  const results = yield* callTools(say, edits.map(toCall))
  const report: EditReport = { done: [], failed: [] }
  for (const [index, edit] of edits.entries()) {
    const result = results[index]
    if (result && !result.isError) report.done.push(edit)
    else report.failed.push({ edit, reason: result ? toReason(result) : 'the call was not run' })
  }
  return report
}

function toCall({ path, oldText, newText, count }: TextEdit): Call {
  const input = { path, old_str: oldText, new_str: newText, ...(count === 1 ? {} : { expected_replacements: count }) }
  return { tool: 'edit', input }
}

export function toText(file: ViewedFile): string {
  return file.lines.join('\n')
}

/** Counts the non-overlapping occurrences of `part` in `text`. */
export function countText(text: string, part: string): number {
  return text.split(part).length - 1
}
