import { buildChecker } from '@corrigenda/site/checks'
import type { CheckRunner } from '@corrigenda/site/internal/thread/task'
import { openCheckThread } from '@corrigenda/site/thread'
import { openObjects } from '../../check-history/open-objects.ts'
import { readMissingAsEmpty } from '../../check-history/read-missing-as-empty.ts'
import { buildSite } from '../model/build-site.ts'
import type { DocSite, ResolvedLink, SiteLayout } from '../model/doc-site.ts'
import { buildTreeWorkspace } from '../tree/build-tree-workspace.ts'
import { openTree } from '../tree/open-tree.ts'
import { type EditReport, measureDeletions, measureMoves } from './measure-edits.ts'
import { measureHeadings } from './measure-headings.ts'
import { measureRecall, type RecallRow } from './measure-recall.ts'
import { measureReleases, type ReleaseReport } from './measure-releases.ts'
import { measureTree, type TreeReport } from './measure-tree.ts'

interface SiteInput {
  readonly id: string
  /** Folder of a Git repository. */
  readonly folder: string
  /** Commits of consecutive releases, oldest first; the last one is measured. */
  readonly commits: readonly string[]
  readonly layout: SiteLayout
  readonly perKind: number
  readonly edits: number
  readonly seed: number
  readonly parts: readonly string[]
  /** True if files that the repository lacks are read as empty. Otherwise a missing file is an error. */
  readonly isPartial?: boolean
  /** Parses pages; a new thread by default. */
  readonly runner?: CheckRunner
}

export interface SiteReport {
  readonly id: string
  readonly layout: SiteLayout
  readonly pages: number
  readonly tree: TreeReport | null
  readonly recall: readonly RecallRow[]
  readonly moves: readonly EditReport[]
  readonly deletions: readonly EditReport[]
  readonly headings: readonly EditReport[]
  readonly releases: readonly ReleaseReport[]
  /** Links of the content pages, and those of them that the oracle resolves. */
  readonly links: number
  readonly resolved: number
  /** Files that a partial repository lacks. */
  readonly missing: number
}

/**
 * Runs all measurements on one commit.
 * @throws Error if the repository lacks a file and is not partial
 */
export async function measureSite(input: SiteInput): Promise<SiteReport> {
  const opened = openObjects(input.folder)
  const partial = input.isPartial === true ? readMissingAsEmpty(opened) : null
  const objects = partial?.objects ?? opened
  const thread = input.runner === undefined ? openCheckThread() : null
  try {
    const tree = await openTree(objects, input.commits.at(-1) ?? 'HEAD')
    const site = buildSite(tree, input.layout)
    const workspace = buildTreeWorkspace(objects, tree.entries)
    const checker = buildChecker({
      ...(thread === null ? {} : { runner: thread }),
      ...(input.runner === undefined ? {} : { runner: input.runner }),
      limits: { readMs: 3_600_000 },
    })
    const has = (part: string) => input.parts.length === 0 || input.parts.includes(part)
    return {
      id: input.id,
      layout: input.layout,
      pages: site.content.length,
      links: count(site, () => true),
      resolved: count(site, (target) => target !== null),
      tree: has('tree') ? await measureTree(workspace, checker) : null,
      recall: has('recall') ? await measureRecall({ ...input, site, workspace, checker }) : [],
      moves: has('moves') ? await measureMoves({ ...input, site, workspace, pages: checker.pages }) : [],
      deletions: has('deletions') ? await measureDeletions({ ...input, site, workspace, pages: checker.pages }) : [],
      headings: has('headings') ? await measureHeadings({ ...input, site, workspace, pages: checker.pages }) : [],
      releases: has('releases') ? await measureReleases(objects, checker, input.commits) : [],
      missing: partial?.missing.size ?? 0,
    }
  } finally {
    await thread?.close()
    objects.close()
  }
}

/** Counts the internal links of the content pages. */
function count(site: DocSite, accepts: (target: ResolvedLink | null) => boolean): number {
  return site.content.reduce((total, page) => {
    const targets = site.targets.get(page.path) ?? []
    const isInternal = (at: number) => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(page.links[at]?.href ?? '')
    return total + targets.filter((target, at) => isInternal(at) && accepts(target)).length
  }, 0)
}
