import type { MeasuredAttempt, Results } from './results.ts'
import { type Summary, summarize } from './summarize.ts'

const MAX_FAILURES = 200
const MAX_DIFF_CHARS = 6_000

/**
 * Formats results as Markdown: the statistics, then every failure with the graders' reasons and the
 * diff.
 */
export function formatReport(results: Results): string {
  const { model, harness, repeat, startedAt, stopped, attempts } = results
  const summaries = summarize(results)
  const failures = attempts.filter(({ verdict }) => verdict === 'failed')
  const unmeasured = attempts.filter(({ verdict }) => verdict === 'unmeasured')
  const lines = [
    `# Evaluation of ${toCode(model)}`,
    '',
    `Harness ${harness}, ${results.tasks.length} tasks, ${repeat} ${repeat === 1 ? 'attempt' : 'attempts'} each, started ${startedAt}.`,
    ...(stopped === null ? [] : ['', `**Incomplete.** ${toPlain(stopped)}`]),
    '',
    ...formatTable(summaries),
    '',
    'Wilson 95% intervals count one trial per task, because attempts at the same task are not independent.',
    ...(unmeasured.length === 0
      ? []
      : ['', ...unmeasured.map((one) => `- ${toCode(one.task)} was not measured: ${toPlain(one.said)}`)]),
    '',
    `## Failures (${failures.length})`,
    ...failures.slice(0, MAX_FAILURES).flatMap(formatFailure),
    ...(failures.length > MAX_FAILURES ? ['', `… and ${failures.length - MAX_FAILURES} more.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** Formats one line per summary, for a terminal. */
export function formatSummary(results: Results): string {
  return formatTable(summarize(results)).join('\n')
}

function formatTable(summaries: readonly Summary[]): string[] {
  const head = ['', 'tasks', 'passed', '95%', 'always', 'ever', 'cost', 'turns', 'tokens in', 'out', 'seconds']
  const rows = summaries.map((one) => [
    one.name,
    String(one.tasks),
    toPercent(one.rate),
    `${toPercent(one.interval.low)} to ${toPercent(one.interval.high)}`,
    String(one.always),
    String(one.ever),
    one.costUsd === null ? 'unknown' : `$${one.costUsd.toFixed(2)}`,
    one.turns.toFixed(1),
    Math.round(one.inputTokens).toString(),
    Math.round(one.outputTokens).toString(),
    one.seconds.toFixed(1),
  ])
  const widths = head.map((name, column) => Math.max(3, name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const format = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [format(head), format(widths.map((width) => '-'.repeat(width))), ...rows.map(format)]
}

function formatFailure({ task, repeat, outcome, code, reasons, said, diff }: MeasuredAttempt): string[] {
  const shown = diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n[the rest is in the JSON file]` : diff
  return [
    '',
    `### ${toCode(task)}, attempt ${repeat}: ${code ?? outcome}`,
    '',
    ...reasons.map((reason) => `- ${toPlain(reason)}`),
    ...(said.trim() === '' ? [] : ['', ...toBlock(said, 'text')]),
    ...(shown === '' ? [] : ['', ...toBlock(shown, 'diff')]),
  ]
}

export const toPercent = (share: number): string => `${(share * 100).toFixed(0)}%`

/** Quotes the model's text unchanged. The fence is longer than any fence in the text. */
function toBlock(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const codeFence = '`'.repeat(longest + 1)
  return [`${codeFence}${language}`, text, codeFence]
}

/** Returns one line without active Markdown or HTML. */
const toPlain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!]/g, '\\$&')

const toCode = (text: string): string => `\`${text.replace(/[`\s]+/g, ' ')}\``
