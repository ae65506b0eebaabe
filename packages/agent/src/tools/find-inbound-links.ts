import type { Workspace } from '@corrigenda/git/workspace'
import { planDelete } from '@corrigenda/site/move'

const MAX = 20

/** `path:line: link` of links in other pages that lead to a file, at most 20; `more` tells how many others there are. */
export async function findInboundLinks(
  workspace: Workspace,
  target: string,
): Promise<{ rows: string[]; more: number }> {
  const { links } = await planDelete(workspace, target, () => null, false)
  return { rows: links.slice(0, MAX), more: Math.max(0, links.length - MAX) }
}
