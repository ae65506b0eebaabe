import type { Earlier } from '@corrigenda/core/runs'

/**
 * Limits in characters for all earlier prompts combined and for the last summary. The newest
 * prompts take precedence.
 */
const MAX_PROMPTS = 12_000
const MAX_SUMMARY = 4_000

/**
 * Returns a description of the earlier runs for a follow-up's model, as quoted data; undefined for
 * a first run.
 */
export function describeEarlier(earlier: Earlier | null): string | undefined {
  if (earlier === null) return undefined
  const { prompts, summary, branch } = earlier
  const where = branch
    ? `This is a follow-up. The files are those of the branch ${branch.name}. They contain your earlier work and any commits that users added on top of it. Keep those commits. Your changes are added to the same pull request.`
    : 'This is a follow-up. Nothing has been changed yet.'
  return [
    where,
    'Earlier requests, oldest first, quoted:',
    ...keepNewest(prompts).map(
      (prompt, index) => `<earlier_request number="${index + 1}">\n${prompt}\n</earlier_request>`,
    ),
    ...(summary ? [`Your last reply, quoted:\n<earlier_answer>\n${cut(summary, MAX_SUMMARY)}\n</earlier_answer>`] : []),
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
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}\n[… shortened]`
