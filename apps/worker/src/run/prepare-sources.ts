import { DOCS_SOURCE, type RunSource, toRepositoryAddress } from '@corrigenda/contracts'
import { toRepositoryUrl, toRunSettings } from '@corrigenda/core/projects'
import { type Claim, findLastRead } from '@corrigenda/core/runs'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import type { WorkTree } from '@corrigenda/git/work-tree'
import { type OpenedSources, openSource } from '../sources/open-source.ts'
import { pinSource } from '../sources/pin-source.ts'
import { type SelectedSource, selectSources } from '../sources/select-sources.ts'
import { RetriedFailure, RunFailure } from './run-failure.ts'
import { toRunEnd } from './to-run-end.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Resolves the sources of a new run to commits. They are stored with the run, so that a worker that
 * takes over reads the same files.
 * @param snapshot the work tree's base commit
 * @throws RunFailure `source_unavailable`; errors that a retry may resolve
 */
export async function pinSources(
  deps: WorkerDeps,
  claim: Claim,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<RunSource[]> {
  const { projectId, jobId } = claim
  const selected = listSelected(claim)
  for (const { name } of claim.options.sources ?? []) {
    // Removed or renamed after the request was accepted.
    if (selected.some((source) => source.name === name)) continue
    throw new RunFailure('source_unavailable', `The project no longer has the source ${name}.`)
  }
  const now = new Date()
  return await inTurn(selected, async (source) => {
    const isDocs = source.name === DOCS_SOURCE
    return await orUnavailable(source.name, async () => {
      assertAllowed(deps, source)
      return await pinSource(deps, {
        ...{ projectId, source, now, signal },
        own: isDocs ? { ref: snapshot.branch, commit: snapshot.commit } : null,
        findLastRead: async (ref) => {
          const read = await findLastRead(deps.prisma, { projectId, jobId, repositoryUrl: source.address.url, ref })
          return read?.commit
        },
        // Spares jobs that concern only the documentation the calls to the Git host.
        needsBase: !isDocs || source.listsChanges || selected.length > 1,
      })
    })
  })
}

/**
 * Opens the sources of a run at their pinned commits.
 * @throws RunFailure `source_unavailable`; errors that a retry may resolve
 */
export async function openSources(
  deps: WorkerDeps,
  claim: Claim,
  { sources, snapshot, workTree }: { sources: readonly RunSource[]; snapshot: Snapshot; workTree: WorkTree },
  signal: AbortSignal,
): Promise<OpenedSources> {
  const selected = listSelected(claim)
  const opened: AsyncDisposable[] = []
  const close = async () => {
    await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()))
  }
  try {
    const found = await inTurn(sources, async (pinned) => {
      const source = selected.find(({ name }) => name === pinned.name)
      const address = toRepositoryAddress(pinned.repository)
      const access = {
        ...{ name: pinned.name, address },
        mayUseInstanceCredential: source?.mayUseInstanceCredential === true && source.address.url === address.url,
      }
      return await orUnavailable(pinned.name, async () => {
        assertAllowed(deps, access)
        return await openSource(
          deps,
          {
            ...{ projectId: claim.projectId, pinned, access, workTree, signal, now: new Date() },
            workTreeCommit: snapshot.commit,
            listsChanges: source?.listsChanges ?? false,
          },
          (one) => opened.push(one),
        )
      })
    })
    return { sources: found, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

function listSelected({ settings, repositoryUrl, options, prompt, earlier }: Claim): SelectedSource[] {
  const { sources } = toRunSettings(settings)
  return selectSources({
    ...{ sources, docs: toRepositoryAddress(repositoryUrl), asked: options.sources, prompt },
    earlier: earlier === null ? undefined : { prompts: earlier.prompts, isPublished: earlier.branch !== null },
  })
}

/** Rechecks the URL, because the allowed hosts may have changed since the source was saved. */
function assertAllowed(
  { allowedRepositoryHosts }: WorkerDeps,
  { name, address }: Pick<SelectedSource, 'name' | 'address'>,
) {
  try {
    toRepositoryUrl(address.url, allowedRepositoryHosts)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'This repository is not allowed.'
    throw new RunFailure('source_unavailable', toMessage(name, why))
  }
}

/** Names the source in an error. */
async function orUnavailable<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const end = toRunEnd(error)
    if (end === null) throw error
    const message = toMessage(name, end.message)
    if (end.kind === 'failed') throw new RunFailure('source_unavailable', message)
    const isDamaged = error instanceof RepositoryError && DAMAGED.has(error.code)
    const code = isDamaged ? 'source_unavailable' : end.code
    throw new RetriedFailure(code, message, end.afterMs, error)
  }
}

/** The other retried codes are those of the Git host and of the cache, which all repositories share. */
const DAMAGED: ReadonlySet<string> = new Set(['corrupt_pack', 'object_not_found'])

const toMessage = (name: string, why: string): string => `The source ${name} cannot be read. ${why}`

/** One after the other, because each may download a repository. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
