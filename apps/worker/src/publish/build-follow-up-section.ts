import { GITHUB_MAX_BODY } from '@corrigenda/contracts'
import { redactSecrets, removeHidden } from '@corrigenda/git/text'
import type { GitHost } from '../git-host/git-host.ts'
import { type PullRequestTextInput, quotePrompt } from './build-pull-request-text.ts'
import {
  buildSection,
  cutAtLine,
  fitLines,
  fitWords,
  IN_FILES,
  MAX_PROMPT,
  MAX_WORDS,
  toCheckRows,
  toEvidenceRows,
  toFileRows,
  toFlagRows,
} from './pull-request-sections.ts'

/** Maximum length of a section, short enough for a body to contain several follow-ups. */
const MAX_FOLLOW_UP = 12_000
const MAX_EVIDENCE = 4_000
const MAX_FLAGS = 2_500

/**
 * Builds the section that a follow-up appends to the pull request body. It has the same parts as
 * the first run's body, under a single heading and with the flags first. The same input produces the same text.
 * @param input.number 1 for the first follow-up
 */
export function buildFollowUpSection(input: PullRequestTextInput & { readonly number: number }): string {
  const clean = (text: string) => redactSecrets(removeHidden(text), input.knownSecrets)
  const share = MAX_FOLLOW_UP / (MAX_PROMPT + MAX_WORDS)
  const parts = [
    // The job page shows what is cut at the end, but not the flags.
    fitLines(toFlagRows(input.code, clean), MAX_FLAGS, IN_FILES),
    fitLines(toFlagRows(input.flags, clean), MAX_FLAGS, IN_FILES),
    quotePrompt(input, clean, Math.floor(MAX_PROMPT * share)),
    fitWords(clean(input.body), Math.floor(MAX_WORDS * share)),
    fitLines(toEvidenceRows(input, clean), MAX_EVIDENCE),
    toFileRows(input.changes, clean),
    input.checks.some(({ introduced }) => introduced > 0) ? toCheckRows(input.checks, clean) : [],
  ]
  const lines = parts.filter((part) => part.some((line) => line.trim() !== '')).flatMap((part) => [...part, ''])
  const section = buildSection(`Follow-up ${input.number}`, lines)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
  return cutAtLine(redactSecrets(section, input.knownSecrets), MAX_FOLLOW_UP)
}

/**
 * Returns the invisible marker for a run's section, so that a repeated run does not add the section
 * twice.
 */
const toSectionMark = (runId: string): string => `<!-- corrigenda ${runId} -->`

/**
 * Appends a follow-up's section to a pull request body, even one that users have edited. Safe to
 * repeat, because a body that already contains the section or has no room for it is not changed.
 * @throws GitHostError
 */
export async function appendSection(
  gitHost: GitHost,
  input: { number: number; branch: string; runId: string; section: string; signal: AbortSignal },
): Promise<'added' | 'there' | 'full' | 'gone'> {
  const { number, branch, signal } = input
  const pull = await gitHost.findPullRequest({ number, branch, signal })
  if (pull === null) return 'gone'
  const before = pull.body
  const mark = toSectionMark(input.runId)
  if (before.includes(mark)) return 'there'
  const body = `${before.trimEnd()}\n\n${mark}\n${input.section.trimEnd()}\n`
  if (body.length > GITHUB_MAX_BODY) return 'full'
  await gitHost.updatePullRequest({ number, body, signal })
  return 'added'
}
