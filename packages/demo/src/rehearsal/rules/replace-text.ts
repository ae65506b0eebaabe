import { countText, type EditReport, editFiles, type TextEdit, toText } from '../plan/edit-files.ts'
import { isKept } from '../plan/guarded-paths.ts'
import { type Ending, GiveUp, type Plan } from '../plan/plan.ts'
import { path, pattern, quoted, type Rule } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import { type Hit, searchText } from '../plan/search-text.ts'
import { viewFiles } from '../plan/view-files.ts'
import { plural, quote, toBody, toFailures, toList, toTitle } from '../plan/words.ts'

const sentence = pattern(`\\breplace ${quoted} (?:with|by) ${quoted}(?: in ${path})?`)
/** Longer rows may be truncated, so the file itself is read instead. */
const wholeRow = 200
const maxFiles = 80
/** Above this number, files are not read first, because a rejected edit also returns the count. */
const maxRead = 16

export const replaceText: Rule = {
  usage: 'replace "X" with "Y" [in GLOB]',
  does: 'Replaces every exact occurrence of X in all files, or in the files that match GLOB.',
  example: 'replace "tidewater doctor" with "tidewater check" in {guides,troubleshooting}/**',
  match(prompt) {
    const found = sentence.exec(prompt)
    const [, from, to, scope] = found ?? []
    if (!found || from === undefined || to === undefined) return null
    const glob = readGlob(scope)
    // Pages that are named in words are searched for.
    if (scope !== undefined && glob === undefined) return null
    return { position: found.index, plan: () => replaceAll(from, to, glob, `Replace ${quote(from)} with ${quote(to)}`) }
  },
}

/** Returns the glob of a scope, which contains a slash, a dot or a star. */
function readGlob(scope: string | undefined): string | undefined {
  const glob = scope?.replace(/^[`'"“”]+|[`'"“”.,;:!?]+$/g, '')
  return glob && /[/.*]/.test(glob) ? glob : undefined
}

/**
 * Replaces all occurrences.
 * @param also returns further text for the body
 */
export function* replaceAll(
  from: string,
  to: string,
  glob: string | undefined,
  title: string,
  also?: () => Plan<string | null>,
): Plan<Ending> {
  const where = glob ? ` in ${glob}` : ''
  if (from === to) return { outcome: 'no_change', reason: `${quote(from)} and ${quote(to)} are the same.` }
  const found = yield* searchText({ query: from, glob })
  const hits = found.filter((hit) => !isKept(hit.path))
  const kept = [...new Set(found.filter((hit) => isKept(hit.path)).map((hit) => `\`${hit.path}\``))].sort()
  const note =
    kept.length === 0 ? null : `Not changed, because they are release notes or instructions: ${kept.join(', ')}.`
  if (hits.length === 0 && note !== null)
    return { outcome: 'no_change', reason: `${quote(from)}${where} occurs only there. ${note}` }
  if (hits.length === 0) {
    return {
      outcome: 'no_change',
      reason: `A search for ${quote(from)}${where} found no matches. There is nothing to replace.`,
    }
  }
  const edits = yield* countEdits(hits, from, to)
  if (edits.length > maxFiles) {
    throw new GiveUp(
      `${quote(from)} occurs in ${edits.length} files, which is more than one job can change. Narrow the search with: in GLOB`,
    )
  }
  const report = yield* editFiles(`Step: replacing ${quote(from)} in ${plural(edits.length, 'file')}.`, edits)
  if (report.done.length === 0) {
    throw new GiveUp(`No edit was accepted. ${report.failed[0]?.edit.path}: ${report.failed[0]?.reason}`)
  }
  const more = also ? yield* also() : null
  const checked = yield* runCheck()
  return { outcome: 'changed', title: toTitle(title), body: toReport(from, to, where, report, [note, more], checked) }
}

/**
 * Returns one edit per file. If rows may be truncated in only a few files, reads these files to
 * count exactly.
 */
function* countEdits(hits: Hit[], from: string, to: string): Plan<TextEdit[]> {
  const counts = new Map<string, number>()
  const unsure = new Set<string>()
  for (const hit of hits) {
    const count = countText(hit.text, from)
    if (count === 0 || hit.text.length >= wholeRow) unsure.add(hit.path)
    counts.set(hit.path, (counts.get(hit.path) ?? 0) + count)
  }
  const read = unsure.size > 0 && unsure.size <= maxRead ? yield* viewFiles([...unsure]) : []
  for (const file of read) if (file) counts.set(file.path, countText(toText(file), from))
  return [...counts].map(([file, count]) => ({ path: file, oldText: from, newText: to, count: Math.max(1, count) }))
}

function toReport(
  from: string,
  to: string,
  where: string,
  report: EditReport,
  more: readonly (string | null)[],
  checked: string,
): string {
  const total = report.done.reduce((sum, edit) => sum + edit.count, 0)
  return toBody([
    `Replaced ${quote(from)} with ${quote(to)}${where}: ${plural(total, 'occurrence')} in ${plural(report.done.length, 'file')}.`,
    toList(report.done.map((edit) => `\`${edit.path}\` (${edit.count})`)),
    toFailures(report),
    ...more,
    checked,
  ])
}
