import { buildTextGuard } from '../leaks/index.ts'
import { findSourceLeaks, toLeakSources } from '../tools/find-source-leaks.ts'
import type { SourceReads } from '../tools/source-reads.ts'
import type { AgentDeps } from './agent-input.ts'

/**
 * Returns texts of a run that leave the instance, with a fixed sentence in place of those that repeat
 * a private source together with the texts before.
 * @param reads what the run has read of its sources
 * @param kind texts of the model, or messages and subjects of calls, which name files
 * @throws errors from the Git host
 */
export type Release = (
  texts: readonly string[],
  reads: SourceReads,
  kind: 'text' | 'message',
) => Promise<readonly string[]>

export function buildRelease({
  workspace,
  whole,
  sources = [],
}: Pick<AgentDeps, 'workspace' | 'whole' | 'sources'>): Release {
  const guard = buildTextGuard(whole ?? workspace)
  return (texts, reads, kind) => {
    const compared = toLeakSources(sources, reads)
    return guard.release(texts, kind === 'text' ? compared : compared.map((source) => ({ ...source, cite: 'links' })))
  }
}

/**
 * Returns the changed files that must not be stored with a run that did not finish, because they
 * contain text of its private sources.
 * @param reads what the run has read of its sources
 * @throws errors from the Git host
 */
export async function findLeakingPaths(
  { workspace, sources = [] }: Pick<AgentDeps, 'workspace' | 'sources'>,
  reads: SourceReads,
): Promise<ReadonlySet<string>> {
  const leaks = await findSourceLeaks({
    repository: workspace,
    sources,
    reads,
    title: null,
    body: '',
    evidence: [],
  })
  const found = leaks.flatMap(({ path }) => path ?? [])
  if (found.length === leaks.length) return new Set(found)
  // A finding without a file concerns the names of the new files.
  const added = (await workspace.changes()).filter(({ kind }) => kind === 'added').map(({ path }) => path)
  return new Set([...found, ...added])
}
