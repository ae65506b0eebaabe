import { formatIntroduced } from '@corrigenda/site/checks'
import { applyMove, formatMove, planMove } from '@corrigenda/site/move'
import { findLimitViolations } from './find-violations.ts'
import { planGuarded } from './plan-guarded.ts'
import { defineTool, type ToolContext, ToolError } from './tool.ts'
import { getEntry, parsePath, requireAllowed, requireFile } from './tool-path.ts'

/** Tool that moves a file or all files in a folder, and updates the references to them. */
export const move = defineTool({
  name: 'move',
  description:
    'Move or rename a file, or a folder with all its files. Rewrites links to it, its own relative links and its navigation entries, and adds a redirect if the site has a list of redirects. The result lists the references that were rewritten and those that were not.',
  kind: 'write',
  async run(context, input) {
    const path = parsePath(input.path)
    const target = parsePath(input.new_path)
    if (path === target) throw new ToolError('path and new_path are the same, so nothing was moved.')
    const moves = await listMoves(context, path, target)
    const plan = await planGuarded(context, (explain) =>
      planMove(context.workspace, moves, (file) => explain(moves.get(file) ?? file), context.pages),
    )
    const violations = await findLimitViolations(context, moves, plan.writes)
    if (violations.length > 0) {
      const rows = violations.map(({ message }) => message).join('\n')
      throw new ToolError(
        `Nothing was moved. The move and its reference updates are too large for one change.\n${rows}\nMove fewer files, or finish with impossible and explain why.`,
      )
    }
    await applyMove(context.workspace, moves, plan.writes)
    return `${formatMove(path, target, moves, plan)}${await formatNewIssues(context, [...moves])}`
  },
})

/** Returns the new paths keyed by the old ones. Throws ToolError if a path cannot be moved. */
async function listMoves(context: ToolContext, path: string, target: string): Promise<Map<string, string>> {
  const { workspace, policy } = context
  const inside =
    (await workspace.find(path)) === null
      ? (await workspace.list()).filter((entry) => entry.path.startsWith(`${path}/`))
      : []
  if (target.startsWith(`${path}/`) && inside.length > 0)
    throw new ToolError(`${target} is inside ${path}. Choose another new_path.`)
  if (inside.length > policy.maxFiles) {
    throw new ToolError(
      `${path} has ${inside.length} files; at most ${policy.maxFiles} can be changed. Nothing was moved.`,
    )
  }
  const moves = new Map<string, string>()
  for (const from of inside.length > 0 ? inside.map((entry) => entry.path) : [path]) {
    const to = `${target}${from.slice(path.length)}`
    requireAllowed(policy, from, 'move')
    requireAllowed(policy, to, 'move')
    const extension = (name: string) => /\.[^./]*$/.exec(name)?.[0].toLowerCase() ?? ''
    if (extension(from) !== extension(to) && policy.explain(to, 'write') !== null) {
      throw new ToolError(`${to} must keep the extension of ${from}.`)
    }
    requireFile(await getEntry(workspace, from))
    if ((await workspace.find(to)) !== null) {
      throw new ToolError(`${to} exists. Choose another new_path, or delete it first to replace it.`)
    }
    moves.set(from, to)
  }
  return moves
}

const MAX_ROWS = 20

/**
 * Formats the new issues in the moved files and in the references to their old paths. Returns an
 * empty string if the checks found no such issues.
 */
async function formatNewIssues(context: ToolContext, moves: readonly (readonly [string, string])[]): Promise<string> {
  const results = await context.checkDocs({ workspace: context.workspace, scope: 'changed' })
  const names = moves.map(([from]) => JSON.stringify(from.replace(/\.(mdx?|markdown)$/i, '')).slice(1, -1))
  const rows = formatIntroduced(results).filter(
    (row) => moves.some(([, to]) => row.startsWith(`${to}:`)) || names.some((name) => row.includes(name)),
  )
  return rows.length === 0 ? '' : `\nNew issues:\n${rows.slice(0, MAX_ROWS).join('\n')}`
}
