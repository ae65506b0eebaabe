import type { AllowedHosts, CheckResult, Evidence, RunSource, Usage } from '@corrigenda/contracts'
import { disarmPlain, redactSecrets, removeHidden, shorten, toCode, toOneLine } from '@corrigenda/git/text'
import {
  buildSection,
  cutAtLine,
  fitWords,
  IN_FILES,
  MAX_PROMPT,
  MAX_SECTION,
  MAX_WORDS,
  type PullRequestChange,
  quote,
  toCheckRows,
  toEvidenceRows,
  toFileRows,
  toFlagRows,
} from './pull-request-sections.ts'

export interface PullRequestTextInput {
  readonly jobId: string
  /** URL of the job page; null if the service has no public URL. */
  readonly jobUrl: string | null
  /** The caller's prompt. */
  readonly prompt: string
  /**
   * False to omit the prompt, the cost and the job's URL, which readers of a public repository must
   * not see.
   */
  readonly hasDetails: boolean
  /** The caller's title, used unchanged; null to use the model's title. */
  readonly requestedTitle: string | null
  /**
   * The project's pattern for the model's titles, with {title}, {date} and {job}; null to leave
   * titles unchanged.
   */
  readonly titlePattern: string | null
  /** Date of the change in UTC, YYYY-MM-DD. */
  readonly date: string
  /** Title and description from the model. Both may be empty. */
  readonly title: string | null
  readonly body: string
  readonly changes: readonly PullRequestChange[]
  readonly checks: readonly CheckResult[]
  /** New executable content, which is listed first. */
  readonly code: readonly string[]
  /** Verified lines of sources that support the change. */
  readonly evidence: readonly Evidence[]
  readonly sources: readonly RunSource[]
  /** Declares the kinds of the sources' hosts, which have different links to lines. */
  readonly hosts?: AllowedHosts
  /** Items for the reviewer to check: new external images, scripts and frames. */
  readonly flags: readonly string[]
  readonly instructionsUsed: readonly string[]
  readonly model: string
  readonly usage: Usage
  /** This process's secrets, redacted wherever they appear. */
  readonly knownSecrets: readonly string[]
}

/** Within GitHub's limits of 256 characters for titles and 65,536 for bodies. */
const MAX_TITLE = 256
const GOOD_TITLE = 72
const MAX_BODY = 60_000

/**
 * Builds the title and the body of a job's pull request. The same input produces the same text. The
 * service determines the structure of the body. Text from the model, the caller and files is escaped
 * (see escapeLines). Credentials are redacted everywhere.
 */
export function buildPullRequestText(input: PullRequestTextInput): { title: string; body: string } {
  const clean = (text: string) => redactSecrets(removeHidden(text), input.knownSecrets)
  const sections = [
    buildSection('Executable content', toFlagRows(input.code, clean), MAX_SECTION / 2, IN_FILES),
    buildSection('Prompt', quotePrompt(input, clean, MAX_PROMPT)),
    buildSection('Summary', fitWords(clean(input.body), MAX_WORDS)),
    buildSection('Evidence', toEvidenceRows(input, clean), MAX_SECTION),
    buildSection('Files', toFileRows(input.changes, clean), MAX_SECTION),
    buildSection('Checks', toCheckRows(input.checks, clean), MAX_SECTION),
  ]
  const flags = buildSection('Needs review', toFlagRows(input.flags, clean), MAX_SECTION / 2, IN_FILES)
  const toText = (lines: readonly string[]) =>
    redactSecrets(lines.join('\n').replace(/\n{3,}/g, '\n\n'), input.knownSecrets)
  // The job page shows what is cut, but not the flags.
  const end = cutAtLine(toText([...flags, ...buildFooter(input, clean)]), MAX_BODY / 2)
  const body = `${cutAtLine(toText(sections.flat()), MAX_BODY - end.length - 1)}\n${end}`
  return { title: fillPattern(input, buildTitle(input, clean)), body }
}

/** Returns the quoted prompt; nothing if readers must not see it. */
export function quotePrompt(input: PullRequestTextInput, clean: (text: string) => string, max: number): string[] {
  return input.hasDetails ? quote(fitWords(clean(input.prompt), max)) : []
}

function buildTitle(input: PullRequestTextInput, clean: (text: string) => string): string {
  // The title is also the subject of the commit, where it could skip CI or close issues.
  const requested = disarmPlain(toOneLine(clean(input.requestedTitle ?? ''))).trim()
  if (requested !== '') return shorten(requested, MAX_TITLE)
  const [firstLine = ''] = clean(input.hasDetails ? input.prompt : '')
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  for (const candidate of [clean(input.title ?? ''), firstLine]) {
    const words = disarmPlain(toOneLine(candidate.slice(0, 1000)))
      .replace(/^(?:#{1,6}\s+|[-*+>]\s+)+/u, '')
      .replace(/(?<![.\s])[.\s]+$/u, '')
    if (/[\p{L}\p{N}]/u.test(words)) return shorten(words, GOOD_TITLE)
  }
  return 'Update the documentation'
}

/** Fills in the title pattern, which does not apply to a caller's title. */
function fillPattern({ requestedTitle, titlePattern, date, jobId }: PullRequestTextInput, title: string): string {
  if (titlePattern === null || toOneLine(requestedTitle ?? '') !== '') return title
  const values: Readonly<Record<string, string>> = { '{title}': title, '{date}': date, '{job}': jobId }
  return shorten(
    titlePattern.replace(/\{(?:title|date|job)\}/g, (mark) => values[mark] ?? mark),
    MAX_TITLE,
  )
}

function buildFooter(input: PullRequestTextInput, clean: (text: string) => string): string[] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, turns, costUsd } = input.usage
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(2)} USD`
  const spent = input.hasDetails ? ` (${turns} turns, ${tokens} tokens${cost})` : ''
  const used = input.instructionsUsed.slice(0, 10).map((path) => toCode(shorten(clean(path), 100)))
  const author =
    input.model === 'rehearsal'
      ? 'Written by the rehearsal model. No AI was used.'
      : `Written by ${toCode(shorten(clean(input.model), 100))}${spent}. Review it like any other change.`
  return [
    '---',
    '',
    ...(used.length > 0 ? [`Instruction files: ${used.join(', ')}`, ''] : []),
    author,
    '',
    `Corrigenda job ${toJobLink(input)}`,
    '',
  ]
}

function toJobLink({ jobId, jobUrl, hasDetails }: PullRequestTextInput): string {
  const url = hasDetails && jobUrl !== null && URL.canParse(jobUrl) ? new URL(jobUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return toCode(jobId)
  const address = url.href.replace(/[()<>\\[\]|]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return `[${toCode(jobId)}](${address})`
}
