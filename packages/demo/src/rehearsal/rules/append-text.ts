import { getPage } from '../plan/get-page.ts'
import { callTool, type Ending, GiveUp, type Plan, toReason } from '../plan/plan.ts'
import { block, path, pattern, type Rule } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import { plural, toBody, toTitle } from '../plan/words.ts'

const sentence = pattern(`\\bappend to (?:the )?(?:page )?${path}:?\\s*${block}`)

export const appendText: Rule = {
  usage: 'append to PATH: """..."""',
  does: 'Adds the text at the end of the page, after a blank line.',
  example: 'append to installation: """## Uninstall\n\nRun `brew uninstall tidewater`."""',
  match(prompt) {
    const found = sentence.exec(prompt)
    const [, page, text] = found ?? []
    return found && page && text?.trim() ? { position: found.index, plan: () => appendToPage(page, text.trim()) } : null
  },
}

export function* appendToPage(written: string, text: string, origin = 'from the prompt'): Plan<Ending> {
  const page = yield* getPage(written)
  const gap = (page.lines.at(-1) ?? '').trim() === '' ? '' : '\n'
  const input = { path: page.path, insert_line: page.lines.length, insert_text: `${gap}${text}\n` }
  const inserted = yield* callTool(`Step: appending to ${page.path}.`, 'insert', input)
  if (inserted.isError) throw new GiveUp(`The text could not be appended to ${page.path}: ${toReason(inserted)}`)
  const checked = yield* runCheck()
  const lines = plural(text.split('\n').length, 'line')
  return {
    outcome: 'changed',
    title: toTitle(`Add to ${page.path}`),
    body: toBody([`Appended ${lines} ${origin} to \`${page.path}\`.`, checked]),
  }
}
