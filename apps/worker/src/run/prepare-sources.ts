import type { AgentSource } from '@corrigenda/agent/sources'
import { type AllowedHosts, DOCS_SOURCE, type RunSource, toRepositoryAddress } from '@corrigenda/contracts'
import { toRunSettings } from '@corrigenda/core/projects'
import { type Claim, findLastRead } from '@corrigenda/core/runs'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Mirrors, Snapshot } from '@corrigenda/git/snapshot'
import type { WorkTree } from '@corrigenda/git/work-tree'
import { type RepositoryWorkDeps, toAllowedRepository } from '../git-host/git-access.ts'
import { openSource } from '../sources/open-source.ts'
import { pinSource } from '../sources/pin-source.ts'
import { type SelectedSource, selectSources } from '../sources/select-sources.ts'
import { RetriedFailure, RunFailure } from './run-failure.ts'
import { toRunEnd } from './to-run-end.ts'

/** What reading the repositories of a run needs. */
export interface RepositoryDeps extends RepositoryWorkDeps {
  readonly mirrors: Mirrors
}

/**
 * Resolves the sources of a new run to commits. They are stored with the run, so that a worker that
 * takes over reads the same files.
 * @param snapshot the work tree's base commit
 * @throws RunFailure `source_unavailable`; errors that a retry may resolve
 */
export async function pinSources(
  deps: RepositoryDeps,
  claim: Claim,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<RunSource[]> {
  const { projectId, jobId } = claim
  const selected = listSelected(claim, deps.allowedRepositoryHosts)
  for (const { name } of claim.options.sources ?? []) {
    // Removed or renamed after the request was accepted.
    if (selected.some((source) => source.name === name)) continue
    throw new RunFailure('source_unavailable', `The project no longer has the source ${name}.`)
  }
  const now = new Date()
  const pinned: RunSource[] = []
  for (const source of selected) {
    const { name, address, listsChanges } = source
    const isDocs = name === DOCS_SOURCE
    const pin = async () => {
      toAllowedRepository(deps, address.url)
      return await pinSource(deps, {
        projectId,
        source,
        now,
        signal,
        own: isDocs ? { ref: snapshot.branch, commit: snapshot.commit } : null,
        findLastRead: async (ref) => {
          const read = await findLastRead(deps.prisma, { projectId, jobId, repositoryUrl: address.url, ref })
          return read?.commit
        },
        // Spares jobs that concern only the documentation the calls to the Git host.
        needsBase: !isDocs || listsChanges || selected.length > 1,
      })
    }
    pinned.push(await orUnavailable(name, pin))
  }
  return pinned
}

/** Sources that a run has opened. */
interface OpenedSources extends AsyncDisposable {
  readonly sources: readonly AgentSource[]
}

/**
 * Opens the sources of a run at their pinned commits.
 * @throws RunFailure `source_unavailable`; errors that a retry may resolve
 */
export async function openSources(
  deps: RepositoryDeps,
  claim: Claim,
  { sources, workTree }: { sources: readonly RunSource[]; workTree: WorkTree },
  signal: AbortSignal,
): Promise<OpenedSources> {
  const selected = listSelected(claim, deps.allowedRepositoryHosts)
  const opened: AsyncDisposable[] = []
  const close = async () => {
    await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()))
  }
  try {
    const found: AgentSource[] = []
    for (const pinned of sources) {
      const { name } = pinned
      const source = selected.find((one) => one.name === name)
      const open = async () => {
        const address = toAllowedRepository(deps, pinned.repository)
        const mayUseInstanceCredential = source?.mayUseInstanceCredential === true && source.address.url === address.url
        const input = {
          projectId: claim.projectId,
          pinned,
          access: { name, address, mayUseInstanceCredential },
          workTree,
          signal,
          now: new Date(),
          listsChanges: source?.listsChanges ?? false,
        }
        return await openSource(deps, input, (one) => opened.push(one))
      }
      found.push(await orUnavailable(name, open))
    }
    return { sources: found, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

function listSelected(
  { settings, repositoryUrl, options, prompt, earlier }: Claim,
  hosts: AllowedHosts,
): SelectedSource[] {
  return selectSources({
    sources: toRunSettings(settings).sources,
    docs: toRepositoryAddress(repositoryUrl, hosts),
    hosts,
    asked: options.sources,
    prompt,
    earlier: earlier === null ? undefined : { prompts: earlier.prompts, isPublished: earlier.branch !== null },
  })
}

/** Codes of a damaged copy of one repository. The other retried codes concern all repositories. */
const DAMAGED: ReadonlySet<string> = new Set(['corrupt_pack', 'object_not_found'])

/** Names the source in an error. */
async function orUnavailable<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const end = toRunEnd(error)
    if (end === null) throw error
    const message = `The source ${name} cannot be read. ${end.message}`
    if (end.kind === 'failed') throw new RunFailure('source_unavailable', message)
    const isDamaged = error instanceof RepositoryError && DAMAGED.has(error.code)
    throw new RetriedFailure(isDamaged ? 'source_unavailable' : end.code, message, end.afterMs, error)
  }
}
