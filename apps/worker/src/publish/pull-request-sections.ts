import { type AllowedHosts, type CheckResult, type Evidence, type RunSource, toPermalink } from '@corrigenda/contracts'
import { escapeInline, escapeLines, shorten, toCode } from '@corrigenda/git/text'

export interface PullRequestChange {
  readonly path: string
  /** Path before the change, if the file was moved. */
  readonly previousPath?: string
  readonly kind: 'added' | 'modified' | 'deleted'
  /** Line counts. */
  readonly added: number
  readonly removed: number
}

/**
 * Limits for the escaped text of each part, in characters. Together they stay below GitHub's limit
 * of 65,536 characters for a body.
 */
export const MAX_PROMPT = 9_000
export const MAX_WORDS = 18_000
export const MAX_SECTION = 10_000
const FINDINGS_SHOWN = 10

const ON_JOB_PAGE = 'See the job page for the rest.'
/** For flags, which only the pull request lists. */
export const IN_FILES = 'Review all changed files.'

/**
 * Builds a section from a heading and its lines. Returns an empty list if all lines are blank.
 * @param rest where to find what exceeds `max`
 */
export function buildSection(
  heading: string,
  lines: readonly string[],
  max = Number.POSITIVE_INFINITY,
  rest = ON_JOB_PAGE,
): string[] {
  if (lines.every((line) => line.trim() === '')) return []
  return [`## ${heading}`, '', ...fitLines(lines, max, rest), '']
}

/**
 * Returns the first lines, at most `max` characters in total. Truncates only between lines, so that
 * no Markdown construct is left open.
 */
export function fitLines(lines: readonly string[], max: number, rest = ON_JOB_PAGE): string[] {
  let length = 0
  const end = lines.findIndex((line) => {
    length += line.length + 1
    return length > max
  })
  return end === -1 ? [...lines] : [...lines.slice(0, end), '', `… truncated. ${rest}`]
}

export function quote(lines: readonly string[]): string[] {
  const text = lines.join('\n').trim()
  return text === '' ? [] : text.split('\n').map((line) => (line === '' ? '>' : `> ${line}`))
}

export function toFileRows(changes: readonly PullRequestChange[], clean: (text: string) => string): string[] {
  if (changes.length === 0) return []
  const name = (path: string) => toCode(shorten(clean(path), 300))
  const rows = changes.map(({ path, previousPath, kind, added, removed }) => {
    const [file, change] =
      previousPath === undefined ? [name(path), kind] : [`${name(previousPath)} → ${name(path)}`, 'moved']
    return `| ${file} | ${change} | +${added} −${removed} |`
  })
  return ['| File | Change | Lines |', '| --- | --- | --- |', ...rows]
}

export function toCheckRows(checks: readonly CheckResult[], clean: (text: string) => string): string[] {
  if (checks.length === 0) return []
  const rows = checks.map(
    ({ name, status, introduced, preexisting, findings }) =>
      `| ${escapeInline(clean(name))} | ${isAdvice(findings) ? `${status} (advice)` : status} | ${introduced} | ${preexisting} |`,
  )
  const findings = checks.flatMap(({ name, findings: found, note }) => [
    ...found.slice(0, FINDINGS_SHOWN).map(({ file, line, message }) => {
      const place = toCode(clean(line === null ? file : `${file}:${line}`))
      return `- ${place} ${escapeInline(shorten(clean(message), 300))}`
    }),
    ...(found.length > FINDINGS_SHOWN ? [`- … and ${found.length - FINDINGS_SHOWN} more`] : []),
    ...(note === undefined ? [] : [`- ${escapeInline(shorten(clean(`${name}: ${note}`), 300))}`]),
  ])
  const table = ['| Check | Result | New issues | Existing issues |', '| --- | --- | --- | --- |', ...rows]
  return findings.length === 0 ? table : [...table, '', ...findings]
}

/** Returns true if all findings are advisory and do not block a change. */
function isAdvice(findings: CheckResult['findings']): boolean {
  return findings.length > 0 && findings.every((finding) => finding.advisory === true)
}

export function toFlagRows(flags: readonly string[], clean: (text: string) => string): string[] {
  return flags.map((flag) => `- ${escapeInline(shorten(clean(flag), 300))}`)
}

/**
 * Returns escaped lines of at most `max` characters in total. Shortens the text before escaping it,
 * so that no escape sequence is cut.
 */
export function fitWords(text: string, max: number): string[] {
  for (let limit = max; ; limit = Math.floor(limit * 0.75)) {
    const lines = escapeLines(shorten(text, limit))
    if (lines.join('\n').length > max) continue
    return text.length <= limit ? lines : [...lines, '', `(shortened from ${text.length} characters)`]
  }
}

export function cutAtLine(text: string, max: number): string {
  if (text.length <= max) return text
  const note = `\n\n… truncated. ${ON_JOB_PAGE}\n`
  return `${text.slice(0, text.lastIndexOf('\n', max - note.length))}${note}`
}

interface Cited {
  readonly evidence: readonly Evidence[]
  readonly sources: readonly RunSource[]
  readonly hosts?: AllowedHosts
}

/**
 * Lists the evidence of a change as each source's `cite` mode allows: as permalinks, as file names,
 * or not at all.
 */
export function toEvidenceRows({ evidence, sources, hosts }: Cited, clean: (text: string) => string): string[] {
  return evidence.flatMap((entry) => {
    const source = sources.find(({ name }) => name === entry.source)
    if (source === undefined || source.cite === 'none') return []
    const { page, path, fromLine, toLine, note } = entry
    const lines = fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`
    const place = toCode(shorten(clean(`${source.name}: ${path}:${lines}`), 300))
    const shown = source.cite === 'links' ? `[${place}](${toAddress(source, entry, hosts)})` : place
    const words = escapeInline(shorten(clean(note), 300))
    return [`- ${toCode(shorten(clean(page), 300))}: ${shown}${words === '' ? '' : ` ${words}`}`]
  })
}

/** `encodeURIComponent` keeps characters that end a link in Markdown. */
function toAddress({ repository, commit }: RunSource, entry: Evidence, hosts: AllowedHosts | undefined): string {
  return toPermalink({ repository, commit, ...entry }, hosts).replace(
    /[!'()*[\]]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
