import { fixLines } from './fix-lines.ts'
import { type Ending, GiveUp, type Plan } from './plan.ts'
import { runCheck } from './run-check.ts'
import { viewFile } from './view-files.ts'
import { quote, toBody, toTitle } from './words.ts'

/** Sets the title or the description in a page's front matter. */
export function* setPageField(path: string, field: 'title' | 'description', value: string): Plan<Ending> {
  const file = yield* viewFile(path)
  const end = file?.lines.indexOf('---', 1) ?? -1
  const index = file?.lines.slice(0, Math.max(0, end)).findIndex((line) => line.startsWith(`${field}:`)) ?? -1
  if (!file || index < 0) throw new GiveUp(`${path} has no ${field} in its front matter.`)
  const written = field === 'description' && !/[.!?]$/.test(value) ? `${value}.` : value
  const newText = `${field}: ${/[:#"']/.test(written) ? JSON.stringify(written) : written}`
  if (newText === file.lines[index])
    return { outcome: 'no_change', reason: `The ${field} of ${path} is ${quote(value)} already.` }
  const report = yield* fixLines(`Step: changing the ${field}.`, [file], [{ path, line: index + 1, newText }])
  if (report.done.length === 0) throw new GiveUp(`${path} could not be changed: ${report.failed[0]?.reason}`)
  const checked = yield* runCheck()
  const body = toBody([`The ${field} of \`${path}\` is now ${quote(written, 120)}.`, checked])
  return { outcome: 'changed', title: toTitle(`Change the ${field} of ${path}`), body }
}
