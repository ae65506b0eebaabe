import type { Workspace } from '@corrigenda/git/workspace'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import { buildDraftFiles } from './draft-files.ts'
import { readRepository } from './read-repository.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { type NavigationResult, rewriteNavigation } from './rewrite-navigation.ts'

export interface MovePlan {
  /** New bytes keyed by current path, including moved files. */
  readonly writes: ReadonlyMap<string, Uint8Array>
  /** Number of rewritten links per file, keyed by current path. */
  readonly links: ReadonlyMap<string, number>
  readonly navigation: NavigationResult
  /** References that were not rewritten, with the reason. */
  readonly left: readonly string[]
}

/**
 * Plans the edits for moved files: links to them, their relative links, navigation entries,
 * redirects. Writes nothing. `explain` returns the reason a file may not be written, or null if it
 * may.
 */
export async function planMove(
  workspace: Workspace,
  moves: ReadonlyMap<string, string>,
  explain: (path: string) => string | null,
): Promise<MovePlan> {
  const repository = await readRepository(workspace)
  const paths = repository.paths.map((path) => moves.get(path) ?? path)
  const facts = new Map<string, PageFacts>()
  for (const [path, own] of repository.index.facts) facts.set(moves.get(path) ?? path, own)
  const after = buildSiteIndex(repository.sites, paths, facts)
  const drafts = buildDraftFiles(workspace)
  const navigation = await rewriteNavigation({ repository, after, moves, drafts, explain })
  const written = new Set(navigation.entries.keys())
  // Links in Markdown navigation (`SUMMARY.md`) are already rewritten as entries.
  const texts = new Map([...repository.texts].filter(([path]) => !written.has(path)))
  const links = await rewriteLinks({ repository: { ...repository, texts }, after, moves, drafts, explain })
  return { writes: drafts.toWrites(), links: links.counts, navigation, left: [...navigation.left, ...links.left] }
}
