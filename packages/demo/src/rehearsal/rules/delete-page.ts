import { type EditReport, editFiles } from '../plan/edit-files.ts'
import { editNavigation } from '../plan/edit-navigation.ts'
import { findInbound } from '../plan/find-inbound.ts'
import { getPage } from '../plan/get-page.ts'
import { findNavigation, type Navigation, removeEntry } from '../plan/navigation.ts'
import { resolveLink, unlinkFile } from '../plan/page-links.ts'
import { toSlug } from '../plan/page-path.ts'
import { callTool, type Ending, GiveUp, type Plan, toReason } from '../plan/plan.ts'
import { path, pattern, type Rule } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import { plural, toBody, toFailures, toTitle } from '../plan/words.ts'

const sentence = pattern(`\\b(?:delete|remove) (?:the )?page ${path}`)

export const deletePage: Rule = {
  usage: 'delete page P',
  does: 'Deletes the file, removes its entry from docs.json, and turns Markdown links to it into plain text.',
  example: 'delete page guides/calendars',
  match(prompt) {
    const found = sentence.exec(prompt)
    const page = found?.[1]
    return found && page ? { position: found.index, plan: () => removePage(page) } : null
  },
}

export function* removePage(written: string): Plan<Ending> {
  const page = yield* getPage(written)
  const navigation = yield* findNavigation()
  const deleted = yield* callTool(`Step: deleting ${page.path}.`, 'delete', { path: page.path })
  if (deleted.isError) throw new GiveUp(`The page could not be deleted: ${toReason(deleted)}`)
  const entries = navigation ? yield* removeEntries(navigation, page.path) : 0
  const links = yield* unlink(page.path, navigation?.root ?? '')
  const checked = yield* runCheck()
  return {
    outcome: 'changed',
    title: toTitle(`Delete page ${toSlug(page.path)}`),
    body: toBody([
      `Deleted \`${page.path}\`.`,
      navigation
        ? `Removed ${plural(entries, 'entry', 'entries')} from \`${navigation.path}\`.`
        : 'No docs.json was found. Check the navigation by hand.',
      `Turned ${plural(
        links.done.reduce((sum, edit) => sum + edit.count, 0),
        'link',
      )} to it into plain text.`,
      toFailures(links),
      checked,
    ]),
  }
}

function* removeEntries(start: Navigation, page: string): Plan<number> {
  let navigation = start
  let removed = 0
  for (let splice = removeEntry(navigation, page); splice; splice = removeEntry(navigation, page)) {
    const edited = yield* editNavigation(`Step: removing the page from ${navigation.path}.`, navigation, splice)
    if (!edited) throw new GiveUp(`The navigation in ${navigation.path} could not be changed.`)
    navigation = edited
    removed += 1
  }
  return removed
}

function* unlink(page: string, root: string): Plan<EditReport> {
  const slug = toSlug(page)
  const inbound = yield* findInbound(page)
  const edits = inbound.flatMap((file) => unlinkFile(file, (link) => resolveLink(link, file.path, root) === slug))
  if (edits.length === 0) return { done: [], failed: [] }
  return yield* editFiles(`Step: turning ${plural(edits.length, 'link')} into plain text.`, edits)
}
