import { formatIntroduced } from '@corrigenda/site/checks'
import { applyMove, count, type DeletePlan, formatMentions, planDelete } from '@corrigenda/site/move'
import { planGuarded } from './plan-guarded.ts'
import { defineTool } from './tool.ts'
import { getEntry, parsePath, requireAllowed, requireFile } from './tool-path.ts'

const MAX_ROWS = 40

/** Tool that deletes a file. Not named `delete`, because that is a reserved word. */
export const deleteFile = defineTool({
  name: 'delete',
  description:
    'Delete a file. The result lists the links and navigation entries that refer to it. With `remove_entries`, its navigation entries are removed too. To change the path of a page, use move.',
  kind: 'write',
  async run(context, input) {
    const { workspace, policy } = context
    const path = parsePath(input.path)
    requireAllowed(policy, path, 'delete')
    requireFile(await getEntry(workspace, path))
    const plan = await planGuarded(context, (explain) =>
      planDelete(workspace, path, explain, input.remove_entries === true, context.pages),
    )
    await applyMove(workspace, new Map(), plan.writes, path)
    const results = await context.checkDocs({ workspace, scope: 'changed' })
    const named = JSON.stringify(path.replace(/\.(mdx?|markdown)$/i, '')).slice(1, -1)
    const problems = formatIntroduced(results).filter(
      (row) => row.includes(named) && !plan.links.some((link) => row.startsWith(toPlace(link))),
    )
    return formatDelete(path, plan, problems)
  },
})

/** Returns the `path:line:` prefix of a row. */
const toPlace = (row: string) => /^.*?:\d+:/.exec(row)?.[0] ?? row

function formatDelete(path: string, plan: DeletePlan, problems: readonly string[]): string {
  const rows = [`Deleted ${path}.`]
  for (const [file, number] of plan.entries) {
    rows.push(`Removed ${count(number, 'navigation entry', 'navigation entries')} from ${file}.`)
  }
  if (plan.left.length > 0) rows.push('Navigation entries to review:', ...clip(plan.left))
  if (problems.length > 0) rows.push('New issues:', ...clip(problems))
  if (plan.links.length > 0) rows.push('Links to the deleted file:', ...clip(plan.links))
  rows.push(...formatMentions(plan.mentions, 'its path or address'))
  if (plan.redirectable !== null) {
    const { address, file } = plan.redirectable
    rows.push(`${address} no longer exists. If another page replaces it, add a redirect in ${file}.`)
  }
  return rows.join('\n')
}

function clip(rows: readonly string[]): string[] {
  return rows.length <= MAX_ROWS ? [...rows] : [...rows.slice(0, MAX_ROWS), `… and ${rows.length - MAX_ROWS} more`]
}
