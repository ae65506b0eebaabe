import { editNavigation } from './edit-navigation.ts'
import { addEntry, findEntries, findNavigation, removeEntry } from './navigation.ts'
import { parseJsonTree, walkJson } from './parse-json-tree.ts'
import { type Ending, GiveUp, type Plan } from './plan.ts'
import { runCheck } from './run-check.ts'
import { toBody, toTitle } from './words.ts'

/** Lists the names of the navigation's groups. */
export function* listGroups(): Plan<string[]> {
  const navigation = yield* findNavigation()
  if (!navigation) return []
  const nodes = [...walkJson(parseJsonTree(navigation.text))]
  return [...new Set(nodes.flatMap((node) => (node.key === 'group' && node.value ? [node.value] : [])))]
}

/** Moves a page's entry to another group. The file stays where it is. */
export function* moveEntryToGroup(page: string, group: string): Plan<Ending> {
  const navigation = yield* findNavigation()
  if (!navigation || findEntries(navigation, page).length === 0) throw new GiveUp(`${page} is not in the navigation.`)
  const removal = removeEntry(navigation, page)
  const removed = removal && (yield* editNavigation(`Step: taking the page out of its group.`, navigation, removal))
  const splice = removed && addEntry(removed, page, group)
  const added = splice && (yield* editNavigation(`Step: adding the page to ${group}.`, removed, splice))
  if (!added) throw new GiveUp(`The navigation in ${navigation.path} could not be changed.`)
  if (added.text === navigation.text)
    return { outcome: 'no_change', reason: `${page} is the last page of ${group} already.` }
  const checked = yield* runCheck()
  const body = toBody([
    `Moved \`${page}\` to the group ${group} in \`${navigation.path}\`. Its address stays the same.`,
    checked,
  ])
  return { outcome: 'changed', title: toTitle(`Move ${page} to ${group}`), body }
}
