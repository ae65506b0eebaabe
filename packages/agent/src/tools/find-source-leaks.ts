import { DOCS_SOURCE, type Evidence } from '@corrigenda/contracts'
import type { Workspace, WorkspaceChange } from '@corrigenda/git/workspace'
import { findLeaks, type Leak, type LeakSource } from '../leaks/index.ts'
import type { AgentSource } from '../sources/agent-source.ts'
import type { SourceReads } from './source-reads.ts'

/** A change with its base. For a follow-up, both are those of the pull request. */
export type WholeChange = Pick<Workspace, 'changes' | 'listBase' | 'readBase'>

interface FindSourceLeaksInput {
  /** The documentation repository, with the whole change of the pull request. */
  readonly repository: WholeChange
  readonly sources: readonly AgentSource[]
  readonly title: string | null
  readonly body: string
  readonly evidence: readonly Evidence[]
  /** What this run has read of the sources. */
  readonly reads: SourceReads
}

interface Known {
  readonly facts: string
  readonly changes: readonly WorkspaceChange[]
  readonly leaks: readonly Leak[]
}

/** The last result of each run, because a change is verified when it is finished, confirmed and published. */
const known = new WeakMap<WholeChange, Known>()

/**
 * Returns what a finished change would publish from the job's private sources. A repeated call for
 * the same change does not read the sources again.
 * @throws errors from the Git host
 */
export async function findSourceLeaks(input: FindSourceLeaksInput): Promise<readonly Leak[]> {
  const { repository, sources, title, body, evidence, reads } = input
  if (!toLeakSources(sources, reads).some(({ visibility }) => visibility === 'private')) return []
  const changes = await repository.changes()
  const notes = evidence.map(({ note }) => note)
  const read = sources.map((source) => ({ source, diffs: listDiffs(reads, source.name) }))
  const facts = JSON.stringify([
    title,
    body,
    notes,
    ...read.map(({ source, diffs }) => {
      const { name, repository: url, commit, visibility, cite, quotable } = source
      return [name, url, commit, visibility, cite, quotable, diffs]
    }),
  ])
  const before = known.get(repository)
  if (before?.facts === facts && isSame(before.changes, changes)) return before.leaks
  const leaks = await findLeaks({
    changes,
    base: repository,
    title,
    body,
    notes,
    sources: toLeakSources(sources, reads),
  })
  known.set(repository, { facts, changes, leaks })
  return leaks
}

/**
 * Returns the sources with what a run has read of their earlier versions. The documentation repository
 * is not among them: the change is compared with its base, and a follow-up reads its own branch.
 */
export const toLeakSources = (sources: readonly AgentSource[], reads: SourceReads): LeakSource[] =>
  sources
    .filter(({ name }) => name !== DOCS_SOURCE)
    .map(({ workspace, ...source }) => ({
      ...source,
      reader: workspace,
      readEarlier: () => readEarlier({ ...source, workspace }, listDiffs(reads, source.name)),
    }))

const listDiffs = (reads: SourceReads, name: string): readonly string[] =>
  (Object.hasOwn(reads, name) ? reads[name]?.diffs : undefined) ?? []

/** Returns the earlier versions of the files whose diff the run has seen. They have lines that the source no longer has. */
async function readEarlier(source: AgentSource, diffs: readonly string[]) {
  const range = diffs.length === 0 ? null : await source.recentChanges()
  if (range === null) return []
  const base = await range.openBase()
  const files = await Promise.all(
    diffs.map(async (path) =>
      (await base.find(path))?.kind === 'file' ? { path, bytes: await base.read(path) } : null,
    ),
  )
  return files.filter((file) => file !== null)
}

function isSame(before: readonly WorkspaceChange[], now: readonly WorkspaceChange[]): boolean {
  return (
    before.length === now.length &&
    now.every(({ path, after }, index) => {
      const other = before[index]
      return other?.path === path && isSameContent(other.after, after)
    })
  )
}

function isSameContent(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === other) return true
  return one !== null && other !== null && Buffer.compare(one, other) === 0
}
