import { styleText } from 'node:util'
import type { AgentJob } from '@corrigenda/client'
import type { CommandContext } from '../environment/command-context.ts'
import { toPrintable } from '../terminal/print.ts'

type Style = Parameters<typeof styleText>[0]

/** The terminal output: plain lines, with colors only on a terminal. */
export interface Screen {
  line(text?: string): void
  heading(text: string): void
  dim(text: string): void
  good(text: string): void
  bad(text: string): void
  /** Prints a step, prefixed with the seconds since the start. */
  step(text: string): void
  /** Prints at most `maxLines` of a unified diff. */
  diff(text: string, maxLines: number): void
}

export function buildScreen(out: CommandContext['stdout'], startedAt: number): Screen {
  const styled = (style: Style, text: string) => (out.isTTY ? styleText(style, text) : text)
  const line = (text = '') => void out.write(`${text}\n`)
  return {
    line,
    heading: (text) => line(`\n${styled('bold', text)}\n`),
    dim: (text) => line(styled('dim', text)),
    good: (text) => line(styled('green', text)),
    bad: (text) => line(styled('red', text)),
    step: (text) =>
      line(
        `  ${styled('dim', `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`)}  ${toPrintable(text)}`,
      ),
    diff(text, maxLines) {
      const lines = text.trimEnd().split('\n')
      for (const row of lines.slice(0, maxLines)) line(`  ${styled(toStyle(row), toPrintable(row))}`)
      const rest = lines.length - maxLines
      if (rest > 0) line(`  … ${rest} more ${rest === 1 ? 'line' : 'lines'}`)
    },
  }
}

function toStyle(row: string): Style {
  if (row.startsWith('+++') || row.startsWith('---') || row.startsWith('diff ')) return 'bold'
  if (row.startsWith('+')) return 'green'
  if (row.startsWith('-')) return 'red'
  return row.startsWith('@@') ? 'cyan' : 'reset'
}

/** Describes what a job with a real model cost, with its model. */
export function describeCost({ model, usage }: Pick<AgentJob, 'model' | 'usage'>): string {
  const { costUsd, turns, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage
  const read = (inputTokens + cacheReadTokens + cacheWriteTokens).toLocaleString('en-US')
  const tokens = `${turns} ${turns === 1 ? 'turn' : 'turns'}, ${read} tokens read, ${outputTokens.toLocaleString('en-US')} written`
  const cost =
    costUsd === null
      ? 'unknown, because the model has no price (set it in MODELS)'
      : `${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)} US dollars`
  return `Cost with ${model}: ${cost} (${tokens})`
}
