import { findContent, hasWord, type Request } from '../meaning/request.ts'
import { isHistory } from '../plan/guarded-paths.ts'
import { listPages } from '../plan/list-pages.ts'
import { callTool, type Ending, GiveUp, type Plan, toReason } from '../plan/plan.ts'
import type { JobFacts } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import { viewFile } from '../plan/view-files.ts'
import { plural, toBody, toList, toTitle } from '../plan/words.ts'
import { listSubjects } from '../rules/follow-changes.ts'
import type { Reader } from './reader.ts'

/** New entries in the release notes. Entries that exist are never rewritten. */
export const readChangelog: Reader = (request) => {
  const { text } = request
  const isChangelog = /\bchange-?\s?logs?\b|\brelease[ -]notes?\b|\bwhat'?s[ -]new\b/i.test(text)
  if (
    !isChangelog ||
    !hasWord(
      request,
      'add write create draft append document prepare update include put insert record note mention entry generate make',
    )
  )
    return null
  const version = /\bv?(\d+\.\d+(?:\.\d+)?)\b/.exec(text)?.[1] ?? null
  const content = findEntry(request)
  return (job) => addEntries(version, content, job)
}

function findEntry(request: Request): string | null {
  const content = findContent(request)
  if (content !== null) return content
  const { text } = request
  const quoted = /"([^"\n]+ [^"\n]+)"/.exec(text)?.[1]
  if (quoted) return quoted
  const told =
    /\b(?:that|saying|mentioning|stating) (?:we |it |the )?(.+?)(?: (?:to|in|into) (?:the )?(?:change-?log|release notes?).*)?$/i.exec(
      text,
    )?.[1]
  if (told && told.split(' ').length > 1 && /\b(?:that|saying|mentioning|stating)\b/i.test(text)) return told
  const end = '(.+?)(?: (?:to|in|into) (?:the )?(?:change-?log|release notes?).*)?$'
  const about =
    new RegExp(`\\b(?:about|on|describing|covering) (?:the )?${end}`, 'i').exec(text)?.[1] ??
    new RegExp(`\\b(?:entry|note|item|line|bullet|section) for (?:the )?${end}`, 'i').exec(text)?.[1]
  const isVersion =
    /^(?:v|version |release )?[\d.]+$|^(?:our )?(?:recent|latest|last|next)\b|change-?log|release notes/i
  return about && !isVersion.test(about) ? about : null
}

function* addEntries(version: string | null, content: string | null, { sources }: JobFacts): Plan<Ending> {
  const pages = (yield* listPages()).filter(({ path }) => isHistory(path))
  const page = pages.find(({ path }) => /releases?\.|change-?log\.|release-notes\.|what-?s-new/i.test(path)) ?? pages[0]
  const file = page && (yield* viewFile(page.path))
  if (!page || !file) throw new GiveUp('The documentation has no page with release notes.')
  const items = content === null ? yield* readCommits(sources) : toItems(content)
  if (items.length === 0)
    return {
      outcome: 'needs_input',
      reason: `What should the entry in \`${page.path}\` say? The sources have no new commits. Send the text after a colon.`,
    }
  const first = file.lines.findIndex((line) => line.startsWith('## '))
  const newest = /^## v?([\d.]+)/.exec(file.lines[first] ?? '')?.[1]
  const heading = version ?? null
  if (heading === null && newest === undefined)
    return { outcome: 'needs_input', reason: 'For which version is the entry?' }
  if (heading === null)
    return {
      outcome: 'needs_input',
      reason: `For which version is the entry? The newest one in \`${page.path}\` is ${newest}.`,
    }
  const known = file.lines.findIndex((line) => new RegExp(`^## v?${heading.replaceAll('.', '\\.')}\\s*$`).test(line))
  const rows = items.map((item) => `- ${item}`)
  const missing = rows.filter((row) => !file.lines.includes(row))
  if (missing.length === 0) return { outcome: 'no_change', reason: `\`${page.path}\` contains this entry already.` }
  const at = known >= 0 ? findListEnd(file.lines, known) : first < 0 ? file.lines.length : first
  const insert_text =
    known >= 0
      ? `${missing.join('\n')}\n`
      : first < 0
        ? `\n## ${heading}\n\n${missing.join('\n')}\n`
        : `## ${heading}\n\n${missing.join('\n')}\n\n`
  const input = { path: page.path, insert_line: at, insert_text }
  const inserted = yield* callTool(`Step: adding ${heading} to ${page.path}.`, 'insert', input)
  if (inserted.isError) throw new GiveUp(`The entry could not be added to ${page.path}: ${toReason(inserted)}`)
  const checked = yield* runCheck()
  const where = content === null ? 'the recent commits of the sources' : 'the prompt'
  const body = toBody([
    `Added ${plural(missing.length, 'line')} from ${where} for ${heading} to \`${page.path}\`:`,
    toList(missing.map((row) => row.slice(2))),
    'Earlier entries are unchanged.',
    checked,
  ])
  return { outcome: 'changed', title: toTitle(`Add ${heading} to the release notes`), body }
}

/** Returns the line after the last item below a heading. */
function findListEnd(lines: readonly string[], heading: number): number {
  let end = heading + 1
  for (let index = heading + 1; index < lines.length && !lines[index]?.startsWith('## '); index += 1) {
    if (lines[index]?.trim()) end = index + 1
  }
  return end
}

function toItems(content: string): string[] {
  const rows = content.split(/\n+|;\s+/).map((row) => row.replace(/^\s*[-*]\s+/, '').trim())
  return rows.filter(Boolean).map((row) => toSentence(row))
}

const toSentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?:)]$/.test(whole) ? whole : `${whole}.`
}

const PAST: Readonly<Record<string, string>> = {
  add: 'Added',
  rename: 'Renamed',
  remove: 'Removed',
  change: 'Changed',
  support: 'Added support for',
}

/** Turns the subjects of commits that matter to readers into entries, newest first. */
function* readCommits(sources: readonly string[]): Plan<string[]> {
  const items: string[] = []
  for (const source of sources) {
    const changes = yield* callTool(`Step: reading the recent changes of ${source}.`, 'source_changes', { source })
    if (changes.isError) continue
    for (const subject of listSubjects(changes.text).reverse()) {
      const [, type = '', rest = subject] = /^(\w+)(?:\([^)]*\))?!?: (.+)$/.exec(subject) ?? []
      if (/^(?:test|chore|docs|ci|build|refactor|style)$/.test(type)) continue
      const [, verb = '', object = ''] = /^(\w+) (.+)$/.exec(rest) ?? []
      const told = PAST[verb] ? `${PAST[verb]} ${object}` : type === 'fix' ? `Fixed: ${rest}` : rest
      items.push(toSentence(told.replace(/(?<![`\w])(--[\w-]+)/g, '`$1`')))
    }
  }
  return items
}
