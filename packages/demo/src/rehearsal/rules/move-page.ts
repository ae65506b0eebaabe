import { posix } from 'node:path'
import { type EditReport, editFiles } from '../plan/edit-files.ts'
import { editNavigation } from '../plan/edit-navigation.ts'
import { findInbound } from '../plan/find-inbound.ts'
import { getPage } from '../plan/get-page.ts'
import { addRedirect, findEntries, findNavigation, type Navigation, renameEntry } from '../plan/navigation.ts'
import { rebaseLink, relinkFile, resolveLink, retargetLink } from '../plan/page-links.ts'
import { cleanPath, hasPageExtension, toSlug } from '../plan/page-path.ts'
import { callTool, type Ending, GiveUp, type Plan, toReason } from '../plan/plan.ts'
import { type MoveReport, readMoveReport } from '../plan/read-move-report.ts'
import { path, pattern, type Rule } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import type { ViewedFile } from '../plan/view-files.ts'
import { plural, quote, toBody, toFailures, toList, toTitle } from '../plan/words.ts'

const sentence = pattern(`\\b(?:move|rename) (?:the )?page ${path} to ${path}`)

export const movePage: Rule = {
  usage: 'move page A to B   (or: rename page A to B)',
  does: 'Moves the file, renames its entry in docs.json (with a redirect if docs.json has a list of\nredirects), and corrects links to the page and relative links in it.',
  example: 'move page guides/secrets to guides/managing-secrets',
  match(prompt) {
    const found = sentence.exec(prompt)
    const [, from, to] = found ?? []
    return found && from && to ? { position: found.index, plan: () => movePageTo(from, to) } : null
  },
}

export function* movePageTo(from: string, to: string): Plan<Ending> {
  const page = yield* getPage(from)
  const wanted = cleanPath(to)
  const target = hasPageExtension(wanted) ? wanted : `${wanted}${posix.extname(page.path)}`
  if (target === page.path) return { outcome: 'no_change', reason: `The page is already at ${target}.` }
  const navigation = yield* findNavigation()
  const moved = yield* callTool(`Step: moving ${page.path} to ${target}.`, 'move', {
    path: page.path,
    new_path: target,
  })
  if (moved.isError) throw new GiveUp(`The page could not be moved: ${toReason(moved)}`)
  const report = readMoveReport(moved.text)
  if (report !== null) return yield* endWithReport(page.path, target, report)
  const entries = navigation ? yield* renameEntries(navigation, page.path, target) : null
  const links = yield* relink(page, target, navigation?.root ?? '')
  const checked = yield* runCheck()
  const places = links.done.reduce((sum, edit) => sum + edit.count, 0)
  return {
    outcome: 'changed',
    title: toTitle(`Move ${toSlug(page.path)} to ${toSlug(target)}`),
    body: toBody([
      `Moved \`${page.path}\` to \`${target}\`.`,
      entries ?? 'No docs.json was found. Check the navigation by hand.',
      `Corrected ${plural(places, 'link')}.`,
      toFailures(links),
      checked,
    ]),
  }
}

/** Ends the plan if the tool has rewritten the references to the page. */
function* endWithReport(from: string, to: string, report: MoveReport): Plan<Ending> {
  const checked = yield* runCheck()
  const left = report.left.length === 0 ? null : toList(report.left.map((row) => quote(row, 160)))
  return {
    outcome: 'changed',
    title: toTitle(`Move ${toSlug(from)} to ${toSlug(to)}`),
    body: toBody([
      `Moved \`${from}\` to \`${to}\`.`,
      ...report.navigation,
      `Corrected ${plural(report.links, 'link')}.`,
      left === null ? null : `Not corrected. Check these references by hand:\n\n${left}`,
      checked,
    ]),
  }
}

function* renameEntries(start: Navigation, from: string, to: string): Plan<string | null> {
  let navigation = start
  let renamed = 0
  for (let node = findEntries(navigation, from)[0]; node; node = findEntries(navigation, from)[0]) {
    const say = `Step: renaming the page in ${navigation.path}.`
    const edited = yield* editNavigation(say, navigation, renameEntry(navigation, node, to))
    if (!edited) throw new GiveUp(`The navigation in ${navigation.path} could not be changed.`)
    navigation = edited
    renamed += 1
  }
  const redirect = addRedirect(navigation, from, to)
  if (redirect) yield* editNavigation(`Step: adding a redirect to ${navigation.path}.`, navigation, redirect)
  return `Renamed ${plural(renamed, 'entry', 'entries')} in \`${navigation.path}\`${redirect ? ' and added a redirect' : ''}.`
}

/** Rewrites links to the page in other files, and relative links in the page itself. */
function* relink(page: ViewedFile, target: string, root: string): Plan<EditReport> {
  const slug = toSlug(page.path)
  const inbound = yield* findInbound(page.path)
  const others = inbound.filter((file) => file.path !== target)
  const edits = others.flatMap((file) =>
    relinkFile(file, (link) =>
      resolveLink(link, file.path, root) === slug ? retargetLink(link, file.path, root, target) : null,
    ),
  )
  const own = relinkFile({ path: target, lines: page.lines }, (link) =>
    resolveLink(link, page.path, root) === slug
      ? retargetLink(link, target, root, target)
      : rebaseLink(link, page.path, target),
  )
  const all = [...edits, ...own]
  if (all.length === 0) return { done: [], failed: [] }
  return yield* editFiles(`Step: correcting ${plural(all.length, 'link')}.`, all)
}
