import { posix } from 'node:path'
import { editFiles, type TextEdit } from '../plan/edit-files.ts'
import { editNavigation } from '../plan/edit-navigation.ts'
import { findNamesakes } from '../plan/find-namesakes.ts'
import { findEntries, findNavigation, type Navigation, removeEntry, renameEntry, toEntry } from '../plan/navigation.ts'
import { relinkFile, resolveLink, retargetLink } from '../plan/page-links.ts'
import { callTool, type Ending, GiveUp, type Plan, toReason } from '../plan/plan.ts'
import { type LinkProblem, readLinkProblems } from '../plan/read-link-problems.ts'
import { pattern, type Rule } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import { viewFiles } from '../plan/view-files.ts'
import { plural, quote, toBody, toList } from '../plan/words.ts'

const sentence = pattern('\\b(?:fix|repair|mend) (?:all |any )?(?:the )?broken links?\\b')

export const fixLinks: Rule = {
  usage: 'fix broken links',
  does: 'Runs check_docs on all pages. If a link or navigation entry refers to a missing page and exactly one\npage has the same name, corrects it. Reports all others.',
  example: 'fix broken links',
  match(prompt) {
    const found = sentence.exec(prompt)
    return found ? { position: found.index, plan: fixBrokenLinks } : null
  },
}

interface Fix {
  problem: LinkProblem
  page: string
}

export function* fixBrokenLinks(): Plan<Ending> {
  const checked = yield* callTool('Step: checking all pages for broken links.', 'check_docs', { scope: 'all' })
  if (checked.isError) throw new GiveUp(`The checks could not be run: ${toReason(checked)}`)
  const problems = readLinkProblems(checked.text)
  if (problems.length === 0) return { outcome: 'no_change', reason: 'check_docs reports no broken links.' }
  const pages = yield* findNamesakes(problems)
  const fixes = [...pages].map(([problem, page]) => ({ problem, page }))
  const navigation = fixes.length > 0 ? yield* findNavigation() : null
  const done = [
    ...(yield* fixPages(fixes, navigation?.root ?? '')),
    ...(navigation ? yield* fixNavigation(fixes, navigation) : []),
  ]
  const left = problems.filter((problem) => !done.some((one) => one.problem === problem))
  const rows = toList(left.map((problem) => `\`${problem.path}\`: ${quote(problem.target)}`))
  const notCorrected = `Not corrected, because no page or several pages have that name, or because an edit was rejected:\n\n${rows}`
  if (done.length === 0) throw new GiveUp(notCorrected)
  const after = yield* runCheck()
  return {
    outcome: 'changed',
    title: 'Fix broken links',
    body: toBody([
      `Corrected ${plural(done.length, 'broken link')}:`,
      toList(done.map(({ problem, page }) => `\`${problem.path}\`: ${quote(problem.target)} now links to \`${page}\``)),
      left.length > 0 ? notCorrected : null,
      after,
    ]),
  }
}

/** Fixes links in pages. Returns the applied fixes. */
function* fixPages(fixes: readonly Fix[], root: string): Plan<Fix[]> {
  const inPages = fixes.filter(({ problem }) => problem.kind === 'link')
  const paths = [...new Set(inPages.map(({ problem }) => problem.path))]
  const files = paths.length > 0 ? yield* viewFiles(paths) : []
  const owners = new Map<TextEdit, Fix>()
  for (const file of files) {
    for (const one of inPages) {
      if (!file || file.path !== one.problem.path) continue
      const edits = relinkFile(file, (link) =>
        isSameLink(one.problem.target, link, file.path, root) ? retargetLink(link, file.path, root, one.page) : null,
      )
      for (const edit of edits) owners.set(edit, one)
    }
  }
  if (owners.size === 0) return []
  const report = yield* editFiles(`Step: correcting ${plural(owners.size, 'link')}.`, [...owners.keys()])
  return inPages.filter((one) => report.done.some(({ path, oldText }) => isMadeFor(owners, one, path, oldText)))
}

/** Compares the replaced text, because a retried edit is a different object. */
function isMadeFor(owners: Map<TextEdit, Fix>, fix: Fix, path: string, oldText: string): boolean {
  return [...owners].some(([edit, owner]) => owner === fix && edit.path === path && edit.oldText === oldText)
}

/**
 * Renames broken entries, or removes them if the page already has an entry. Returns the applied
 * fixes.
 */
function* fixNavigation(fixes: readonly Fix[], start: Navigation): Plan<Fix[]> {
  let navigation = start
  const done: Fix[] = []
  for (const one of fixes) {
    if (one.problem.path !== navigation.path) continue
    const dead = posix.join(navigation.root, one.problem.target.replace(/^\//, ''))
    const node = findEntries(navigation, dead)[0]
    const isListed = findEntries(navigation, one.page).length > 0
    const splice = isListed ? removeEntry(navigation, dead) : node ? renameEntry(navigation, node, one.page) : null
    if (!splice) continue
    const say = `Step: correcting ${toEntry(navigation, dead)} in ${navigation.path}.`
    const edited = yield* editNavigation(say, navigation, splice)
    if (!edited) continue
    navigation = edited
    done.push(one)
  }
  return done
}

function isSameLink(reported: string, link: string, path: string, root: string): boolean {
  if (reported === link) return true
  const resolved = resolveLink(link, path, root)
  return resolved !== null && resolved === resolveLink(reported, path, root)
}
