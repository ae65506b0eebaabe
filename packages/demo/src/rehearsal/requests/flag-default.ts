import { findFlagTable, toCells } from '../plan/add-flag-row.ts'
import { fixLines, type LineFix } from '../plan/fix-lines.ts'
import { isKept } from '../plan/guarded-paths.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { runCheck } from '../plan/run-check.ts'
import { searchText } from '../plan/search-text.ts'
import { viewFiles } from '../plan/view-files.ts'
import { toBody, toFailures, toList, toTitle } from '../plan/words.ts'
import type { Reader } from './reader.ts'

const SENTENCE =
  /\b(?:change|set|update|raise|lower|increase|reduce)\b.*?\bdefault\b(?: value)?(?: (?:of|for))? .*?--([a-z][a-z0-9-]*)\b.*? to ["']?([\w.%/-]+?)["']?(?=[\s,.;!]|$)|\b(?:change|set|update|raise|lower|increase|reduce)\b.*?--([a-z][a-z0-9-]*)\b.*?\bdefault\b.*? to ["']?([\w.%/-]+?)["']?(?=[\s,.;!]|$)/i

/** New defaults of flags that the request names. */
export const readFlagDefault: Reader = ({ text }) => {
  const [, first, second, third, fourth] = SENTENCE.exec(text) ?? []
  const [flag, value] = [first ?? third, second ?? fourth]
  return flag && value ? () => setDefault(flag.toLowerCase(), value) : null
}

function* setDefault(flag: string, value: string): Plan<Ending> {
  const isRow = new RegExp(`^\\|\\s*\`--${flag}(?![\\w-])`)
  const hits = (yield* searchText({ query: `--${flag}`, glob: '**/*.{md,mdx}' })).filter(
    ({ path, text }) => !isKept(path) && isRow.test(text),
  )
  const files = (yield* viewFiles([...new Set(hits.map(({ path }) => path))])).filter((file) => file !== null)
  const rows = hits.flatMap((hit) => {
    const lines = files.find(({ path }) => path === hit.path)?.lines ?? []
    const column = findFlagTable(lines)?.columns.findIndex((name) => /^default$/i.test(name)) ?? -1
    const now = toCells(lines[hit.line - 1] ?? '')[column]
    return now === undefined ? [] : [{ ...hit, column, now }]
  })
  const [row, ...others] = rows
  if (!row || others.length > 0) {
    const list = toList(rows.map(({ path }) => `\`${path}\``))
    const reason = row
      ? `Which page should change? These have a table with a default of --${flag}:\n\n${list}`
      : `Which text should change? No table has a default of --${flag}.`
    return { outcome: 'needs_input', reason }
  }
  const cell = `\`${value}\``
  if (row.now === cell)
    return { outcome: 'no_change', reason: `The default of --${flag} in \`${row.path}\` is ${cell} already.` }
  const cells = row.text.split('|')
  const newText = cells.map((text, index) => (index === row.column + 1 ? ` ${cell} ` : text)).join('|')
  const fix: LineFix = { path: row.path, line: row.line, newText }
  const report = yield* fixLines(`Step: changing the default of --${flag}.`, files, [fix])
  const checked = yield* runCheck()
  return {
    outcome: 'changed',
    title: toTitle(`Change the default of --${flag} to ${value}`),
    body: toBody([
      `The default of \`--${flag}\` in \`${row.path}\` was ${row.now}. The new value is the one in the prompt.`,
      toFailures(report),
      checked,
    ]),
  }
}
