import { buildChecker } from '@corrigenda/site/checks'
import { openCheckThread } from '@corrigenda/site/thread'
import { openObjects } from '../../check-history/open-objects.ts'
import { buildSite } from '../model/build-site.ts'
import type { SiteLayout } from '../model/doc-site.ts'
import { buildTreeWorkspace } from '../tree/build-tree-workspace.ts'
import { openTree } from '../tree/open-tree.ts'
import { measureRecall, type RecallRow } from './measure-recall.ts'
import { measureTree, type TreeReport } from './measure-tree.ts'

export interface SiteInput {
  readonly id: string
  /** Folder of a Git repository. */
  readonly folder: string
  readonly commit: string
  readonly layout: SiteLayout
  readonly perKind: number
  readonly edits: number
  readonly seed: number
  readonly parts: readonly string[]
}

export interface SiteReport {
  readonly id: string
  readonly layout: SiteLayout
  readonly pages: number
  readonly tree: TreeReport | null
  readonly recall: readonly RecallRow[]
}

/** Runs all measurements on one commit. */
export async function measureSite(input: SiteInput): Promise<SiteReport> {
  const objects = openObjects(input.folder)
  const thread = openCheckThread()
  try {
    const tree = await openTree(objects, input.commit)
    const site = buildSite(tree, input.layout)
    const workspace = buildTreeWorkspace(objects, tree.entries)
    const checker = buildChecker({ runner: thread, limits: { readMs: 3_600_000 } })
    const has = (part: string) => input.parts.length === 0 || input.parts.includes(part)
    return {
      id: input.id,
      layout: input.layout,
      pages: site.content.length,
      tree: has('tree') ? await measureTree(workspace, checker) : null,
      recall: has('recall') ? await measureRecall({ ...input, site, workspace, checker }) : [],
    }
  } finally {
    await thread.close()
    objects.close()
  }
}
