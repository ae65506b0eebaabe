import { type MeasuredAttempt, type Results, scoreTasks, sumCost, toMean } from './results.ts'

const MAX_DIFF_CHARS = 6_000

/** Formats results as Markdown: the statistics, then every failure with the reasons and the diff. */
export function formatReport(results: Results): string {
  const { model, harness, repeat, startedAt, stopped, attempts, tasks } = results
  const lines = [
    `# Evaluation of ${toCode(model)}`,
    '',
    `Harness ${harness}, ${tasks.length} tasks, ${repeat} ${repeat === 1 ? 'attempt' : 'attempts'} each, started ${startedAt}.`,
    ...(stopped === null ? [] : ['', `**Incomplete.** ${toInert(stopped)}`]),
    '',
    formatTable(results),
    '',
    ...attempts.flatMap((one) => (one.verdict === 'passed' ? [] : formatFailure(one))),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Formats a line for all tasks, and one for each split and family. The Wilson intervals count one
 * trial per task, because attempts at the same task are not independent.
 */
export function formatTable(results: Results): string {
  const scores = scoreTasks(results)
  const groups = [
    'all',
    ...new Set([...results.tasks.map(({ split }) => split), ...results.tasks.map(({ family }) => family)]),
  ]
  const rows = groups.map((name) => {
    const own = scores.filter(({ task }) => name === 'all' || task.split === name || task.family === name)
    const attempts = own.flatMap((score) => score.attempts)
    const rate = toMean(own.map((score) => score.rate))
    const { low, high } = toWilson(rate, own.length)
    const cost = sumCost(attempts)
    const per = (toNumber: (one: MeasuredAttempt) => number) => toMean(attempts.map(toNumber))
    return [
      name,
      String(own.length),
      toPercent(rate),
      `${toPercent(low)} to ${toPercent(high)}`,
      String(own.filter((score) => score.rate === 1).length),
      String(own.filter((score) => score.rate > 0).length),
      cost === null ? 'unknown' : `$${cost.toFixed(2)}`,
      per(({ usage }) => usage.turns).toFixed(1),
      per(({ usage }) => usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens).toFixed(0),
      per(({ usage }) => usage.outputTokens).toFixed(0),
      per(({ seconds }) => seconds).toFixed(1),
    ]
  })
  const head = ['', 'tasks', 'passed', '95%', 'always', 'ever', 'cost', 'turns', 'tokens in', 'out', 'seconds']
  const widths = head.map((name, column) => Math.max(3, name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const table = [head, widths.map((width) => '-'.repeat(width)), ...rows]
  return table.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`).join('\n')
}

export const toPercent = (share: number): string => `${(share * 100).toFixed(0)}%`

const Z95 = 1.959964

/** Returns Wilson's 95% interval for a rate in `n` independent trials (E. B. Wilson, 1927). */
export function toWilson(rate: number, n: number): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 }
  const z2 = Z95 * Z95
  const middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z2 / (4 * n * n))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

function formatFailure({ task, repeat, verdict, outcome, code, reasons, said, diff }: MeasuredAttempt): string[] {
  const shown = diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n[the rest is in the JSON file]` : diff
  return [
    `## ${toCode(task)}, attempt ${repeat}, ${verdict}: ${code ?? outcome}`,
    '',
    ...reasons.map((reason) => `- ${toInert(reason)}`),
    ...(said.trim() === '' ? [] : toBlock(said, 'text')),
    ...(shown === '' ? [] : toBlock(shown, 'diff')),
    '',
  ]
}

/** Quotes the model's text unchanged. The fence is longer than any fence in the text. */
function toBlock(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const codeFence = '`'.repeat(longest + 1)
  return ['', `${codeFence}${language}`, text, codeFence]
}

/** Returns one line without active Markdown or HTML. */
const toInert = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!]/g, '\\$&')

const toCode = (text: string): string => `\`${text.replace(/[`\s]+/g, ' ')}\``
