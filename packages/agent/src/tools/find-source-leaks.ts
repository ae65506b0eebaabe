import type { Evidence } from '@corrigenda/contracts'
import type { Workspace } from '@corrigenda/git/workspace'
import { findLeaks, type Leak } from '../leaks/index.ts'
import type { AgentSource } from '../sources/agent-source.ts'

export interface FindSourceLeaksInput {
  /** All files of the documentation repository. */
  readonly repository: Workspace
  readonly sources: readonly AgentSource[]
  readonly title: string | null
  readonly body: string
  readonly evidence: readonly Evidence[]
}

/** Returns what a finished change would publish from the job's private sources. */
export async function findSourceLeaks(input: FindSourceLeaksInput): Promise<Leak[]> {
  const { repository, sources, title, body, evidence } = input
  if (!sources.some(({ visibility }) => visibility === 'private')) return []
  return await findLeaks({
    ...{ changes: await repository.changes(), base: repository, title, body },
    notes: evidence.map(({ note }) => note),
    sources: sources.map(({ workspace, ...source }) => ({ ...source, reader: workspace })),
  })
}
