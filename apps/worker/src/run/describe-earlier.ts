import type { Earlier } from '@corrigenda/core/runs'

/**
 * Limits in characters: of all earlier prompts together, and of the last summary. The newest
 * prompts take precedence.
 */
const MAX_PROMPTS = 12_000
const MAX_SUMMARY = 4_000

/**
 * Returns the description of the earlier runs for the model of a follow-up, as quoted data;
 * undefined for a first run.
 */
export function describeEarlier(earlier: Earlier | null): string | undefined {
  if (earlier === null) return undefined
  const { prompts, summary, branch } = earlier
  const where = branch
    ? `This is a follow-up. The files are those of the branch ${branch.name}: your earlier work is in them, and what people may have committed on top of it, which is to be kept. What you change now is added to the same pull request.`
    : 'This is a follow-up. Nothing was changed so far.'
  return [
    where,
    'What was asked before, oldest first, quoted:',
    ...keepNewest(prompts).map(
      (prompt, index) => `<earlier_request number="${index + 1}">\n${prompt}\n</earlier_request>`,
    ),
    ...(summary
      ? [`What you said last, quoted:\n<earlier_answer>\n${cut(summary, MAX_SUMMARY)}\n</earlier_answer>`]
      : []),
  ].join('\n')
}

function keepNewest(prompts: readonly string[]): string[] {
  const kept: string[] = []
  let remaining = MAX_PROMPTS
  for (const prompt of prompts.toReversed()) {
    if (remaining <= 0) break
    kept.unshift(cut(prompt, remaining))
    remaining -= prompt.length
  }
  return kept
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}\n[… ${text.length - max} more characters]`
