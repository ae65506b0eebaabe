import { editFiles } from './edit-files.ts'
import type { Navigation, Splice } from './navigation.ts'
import type { Plan } from './plan.ts'
import { buildUniqueEdit } from './unique-edit.ts'

/**
 * Applies a change to the navigation file. Returns the changed file, or null if the edit was
 * rejected.
 */
export function* editNavigation(say: string, navigation: Navigation, splice: Splice): Plan<Navigation | null> {
  const { path, text } = navigation
  const { start, end, replacement } = splice
  const report = yield* editFiles(say, [buildUniqueEdit(path, text, start, end, replacement)])
  if (report.failed.length > 0) return null
  return { ...navigation, text: text.slice(0, start) + replacement + text.slice(end) }
}
