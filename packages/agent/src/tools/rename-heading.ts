import { applyMove, count, formatMentions, type HeadingPlan, planHeading } from '@corrigenda/site/move'
import { findLimitViolations } from './find-violations.ts'
import { planGuarded } from './plan-guarded.ts'
import { defineTool, ToolError } from './tool.ts'
import { getEntry, parsePath, requireAllowed, requireFile } from './tool-path.ts'
import { formatNewProblems } from './write-text.ts'

const MAX_ROWS = 40

/** Tool that changes the text of a heading, and updates the links to its anchor. */
export const renameHeading = defineTool({
  name: 'rename_heading',
  description:
    "Change a heading's text. Rewrites the links to its anchor in all pages, navigation entries and redirects. With `keep_anchor`, the heading keeps its old anchor as an explicit id, so that links from outside the repository also still work; not all frameworks support this.",
  kind: 'write',
  async run(context, input) {
    const { workspace, policy } = context
    const page = parsePath(input.path)
    requireAllowed(policy, page, 'write')
    requireFile(await getEntry(workspace, page))
    const { heading, new_heading: newHeading, keep_anchor: keepsAnchor = false } = input
    const plan = await planGuarded(context, (explain) =>
      planHeading(workspace, { page, heading, newHeading, keepsAnchor }, explain, context.pages),
    )
    const violations = await findLimitViolations(context, new Map(), plan.writes)
    if (violations.length > 0) {
      const rows = violations.map(({ message }) => message).join('\n')
      throw new ToolError(
        `Nothing was changed. The heading and the links to it are too large for one change.\n${rows}\nKeep the anchor with keep_anchor, or finish with impossible and explain why.`,
      )
    }
    await applyMove(workspace, new Map(), plan.writes)
    return `${formatHeading(page, newHeading, plan)}${await formatNewProblems(context, [page])}`
  },
})

function formatHeading(page: string, newHeading: string, plan: HeadingPlan): string {
  const { links, entries, left, oldAnchor, newAnchor } = plan
  const rows = [
    `Renamed the heading ${JSON.stringify(plan.oldText)} to ${JSON.stringify(newHeading)} (${page}:${plan.line}).`,
  ]
  const isKept = oldAnchor === newAnchor
  rows.push(isKept ? `Its anchor is still #${oldAnchor}.` : `Its anchor was #${oldAnchor} and is now #${newAnchor}.`)
  const total = [...links.values()].reduce((sum, number) => sum + number, 0)
  const pages = Array.from(links, ([path, number]) => `${path} (${number})`)
  const shown = `${pages.slice(0, MAX_ROWS).join(', ')}${pages.length > MAX_ROWS ? `, and ${pages.length - MAX_ROWS} more` : ''}`
  if (total > 0) rows.push(`Rewrote ${count(total, 'link')} in ${count(links.size, 'file')}: ${shown}.`)
  else if (!isKept && left.length === 0) rows.push('No link in the repository leads to the old anchor.')
  for (const [file, number] of entries)
    rows.push(`Rewrote ${count(number, 'navigation entry or redirect', 'navigation entries or redirects')} in ${file}.`)
  if (left.length > 0) {
    rows.push('Not rewritten. Review these references yourself:', ...left.slice(0, MAX_ROWS))
    if (left.length > MAX_ROWS) rows.push(`… and ${left.length - MAX_ROWS} more`)
  }
  rows.push(...formatMentions(plan.mentions, 'the old anchor'))
  return rows.join('\n')
}
