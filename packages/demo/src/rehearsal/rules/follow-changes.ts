import { addFlagRow } from '../plan/add-flag-row.ts'
import { editFiles } from '../plan/edit-files.ts'
import { findFlagDefinitions } from '../plan/find-flag-definitions.ts'
import { isKept } from '../plan/guarded-paths.ts'
import { callTool, type Ending, type Evidence, GiveUp, type Plan } from '../plan/plan.ts'
import { listMissingFlags } from '../plan/refresh-flags.ts'
import { type JobFacts, pattern, type Rule } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import { searchText } from '../plan/search-text.ts'
import { viewFile } from '../plan/view-files.ts'
import { plural, quote, toBody, toList } from '../plan/words.ts'
import { toEvidence } from './document-flag.ts'

const sentence = pattern(
  '\\bupdate (?:the |our )?(?:documentation|docs) (?:for|after|with) (?:the |our )?(?:recent|latest) (?:pushes|changes|commits)\\b',
)

export const followChanges: Rule = {
  usage: 'update the documentation for our recent pushes',
  does: "Reads the recent commits of the project's sources. Documents the flags that their subjects add, and\nrenames the commands that they rename, except in release notes. Recent commits are those since the\nlast completed job that read the source, or of the last 14 days. Without such commits, compares the\npages with the code.",
  example: 'Update the documentation for our recent pushes to main',
  match(prompt) {
    const found = sentence.exec(prompt)
    return found ? { position: found.index, plan: followAll } : null
  },
}

const NO_CHANGES =
  'There are no commits since the last job that read the sources. To read earlier ones, send "sources" with "since".'

interface Outcome {
  done: string[]
  left: string[]
  evidence: Evidence[]
}

export function* followAll({ sources }: JobFacts): Plan<Ending> {
  if (sources.length === 0) {
    const reason = 'Which changes? The project has no source with the code. Add one in the project settings.'
    return { outcome: 'needs_input', reason }
  }
  const outcome: Outcome = { done: [], left: [], evidence: [] }
  for (const source of sources) {
    const changes = yield* callTool(`Step: reading the recent changes of ${source}.`, 'source_changes', { source })
    if (changes.isError) throw new GiveUp(`The recent changes of ${source} are not known.`)
    const subjects = listSubjects(changes.text)
    for (const subject of subjects) yield* follow(subject, source, outcome)
    // An earlier job has read the commits, but its pull request may not be merged.
    if (subjects.length === 0) yield* compare(source, outcome)
  }
  const left = outcome.left.length === 0 ? null : `No change was made for:\n\n${toList(outcome.left)}`
  if (outcome.done.length === 0) return { outcome: 'no_change', reason: left ?? NO_CHANGES }
  const checked = yield* runCheck()
  const body = toBody([toList(outcome.done), left, checked])
  return { outcome: 'changed', title: 'Document recent changes', body, evidence: outcome.evidence }
}

/** Finds flags that the pages lack, and renamed commands, by comparing the pages with the code. */
function* compare(source: string, outcome: Outcome): Plan<void> {
  for (const definition of yield* listMissingFlags([source])) {
    const { page, isNew } = yield* addFlagRow(definition)
    if (!isNew) continue
    outcome.done.push(`Added \`--${definition.flag}\` to the table of flags in \`${page}\`.`)
    outcome.evidence.push(toEvidence(definition, page))
  }
  const query = 'command was called [a-z]'
  for (const { path, text } of yield* searchText({
    query,
    mode: 'regex',
    source,
    label: 'earlier names of commands',
  })) {
    const from = /was called ([a-z][a-z0-9-]*)/.exec(text)?.[1]
    const file = yield* viewFile(path, source)
    const to = file?.lines.map((line) => /\bUse:\s*"([a-z][a-z0-9-]*)/.exec(line)?.[1]).find(Boolean)
    if (from && to) yield* renameCommand(from, to, source, outcome)
  }
}

/** Returns the subjects in rows `COMMIT SUBJECT`, oldest first. */
export const listSubjects = (text: string): string[] =>
  [...text.matchAll(/^[0-9a-f]{7,40} (.+)$/gm)].map(([, subject = '']) => subject).reverse()

function* follow(subject: string, source: string, outcome: Outcome): Plan<void> {
  const [, flag, command] = /\badd --([a-z][a-z0-9-]*)(?: (?:to|for) ([a-z][a-z0-9-]*))?/i.exec(subject) ?? []
  const [, from, to] = /\brename ([a-z][a-z0-9-]*) to ([a-z][a-z0-9-]*)/i.exec(subject) ?? []
  const isDone =
    (flag !== undefined && (yield* documentNew(flag, command, source, outcome))) ||
    (from !== undefined && to !== undefined && (yield* renameCommand(from, to, source, outcome)))
  if (!isDone) outcome.left.push(quote(subject))
}

function* documentNew(flag: string, command: string | undefined, source: string, outcome: Outcome): Plan<boolean> {
  const all = yield* findFlagDefinitions(flag, [source])
  const [definition, ...others] = all.filter((one) => command === undefined || one.command === command)
  if (!definition || others.length > 0) return false
  const { page, isNew } = yield* addFlagRow(definition)
  if (!isNew) return false
  outcome.done.push(`Added \`--${flag}\` to the table of flags in \`${page}\`.`)
  outcome.evidence.push(toEvidence(definition, page))
  return true
}

/** Replaces `PROGRAM from` with `PROGRAM to`, where PROGRAM is the word that most often precedes it. */
function* renameCommand(from: string, to: string, source: string, outcome: Outcome): Plan<boolean> {
  const isDefinition = new RegExp(`\\b(?:Use:|command\\()\\s*"${to}\\b`)
  const use = (yield* searchText({ query: `"${to}`, source })).find(({ text }) => isDefinition.test(text))
  const hits = (yield* searchText({ query: from })).filter(({ path }) => /\.mdx?$/.test(path) && !isKept(path))
  const words = new RegExp(`\\b[a-z][a-z0-9-]* ${from}\\b`, 'g')
  // In prose, an article can precede the name: "Ask the doctor".
  const phrases = hits
    .flatMap(({ text }) => [...text.matchAll(words)].map(String))
    .filter((phrase) => !/^(?:the|a|an|this|that|your|our|and|or) /.test(phrase))
  const phrase = mostFrequent(phrases)
  if (!use || !phrase || !(yield* viewFile(use.path, source))) return false
  const counts = new Map<string, number>()
  for (const { path, text } of hits) {
    const count = text.split(phrase).length - 1
    if (count > 0) counts.set(path, (counts.get(path) ?? 0) + count)
  }
  const newText = `${phrase.slice(0, -from.length)}${to}`
  const edits = [...counts].map(([path, count]) => ({ path, oldText: phrase, newText, count }))
  const { done } = yield* editFiles(`Step: renaming ${phrase} in ${plural(edits.length, 'file')}.`, edits)
  const { path, line } = use
  const note = `Defines the command ${to}.`
  outcome.evidence.push(...done.map((edit) => ({ page: edit.path, source, path, fromLine: line, toLine: line, note })))
  if (done.length > 0) outcome.done.push(`Renamed \`${phrase}\` to \`${newText}\` in ${plural(done.length, 'page')}.`)
  return done.length > 0
}

function mostFrequent(texts: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
