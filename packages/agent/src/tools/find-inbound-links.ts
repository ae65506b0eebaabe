import type { Workspace } from '@corrigenda/git/workspace'
import { planDelete } from '@corrigenda/site/move'

const MAX = 20

/**
 * Finds links to a file in other pages, as `path:line: link`, at most 20. `more` is the number of
 * further links.
 */
export async function findInboundLinks(
  workspace: Workspace,
  target: string,
): Promise<{ rows: string[]; more: number }> {
  const { links } = await planDelete(workspace, target, () => null, false)
  return { rows: links.slice(0, MAX), more: Math.max(0, links.length - MAX) }
}
