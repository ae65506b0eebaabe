import { DOCS_SOURCE, type RepositoryAddress, type SourceVisibility } from '@corrigenda/contracts'
import type { Log } from '@corrigenda/core/runtime'
import type { Mirrors, Snapshot } from '@corrigenda/git/snapshot'
import { buildGlob } from '@corrigenda/git/text'
import type { Access, Credentials } from '../git-host/credentials.ts'
import { openSnapshot, withToken } from '../git-host/git-access.ts'
import type { GitHost, OpenGitHost } from '../git-host/git-host.ts'

export interface SourceDeps {
  readonly credentials: Credentials
  readonly openGitHost: OpenGitHost
  readonly mirrors: Mirrors
  readonly log: Log
}

/** What identifies the repository of a source and its credential. */
export interface SourceAccess {
  readonly name: string
  readonly address: RepositoryAddress
  readonly mayUseInstanceCredential: boolean
}

/** Returns the credentials of a source. The documentation repository uses those of the project. */
function toSourceCredentials({ credentials }: SourceDeps, source: SourceAccess): Credentials {
  return source.name === DOCS_SOURCE ? credentials : credentials.forSource(source)
}

/** Opens a client for a source's repository. */
export function openSourceHost(
  deps: SourceDeps,
  source: SourceAccess,
  { access = 'read', signal }: { access?: Access; signal: AbortSignal },
): Promise<GitHost> {
  const credentials = toSourceCredentials(deps, source)
  return deps.openGitHost({ credentials, repository: source.address, access, signal })
}

/** Opens a source's repository at a commit, or at the newest commit of a branch. */
export function openSourceSnapshot(
  deps: SourceDeps,
  source: SourceAccess,
  input: { projectId: string; branch: string | null; commit?: string; signal: AbortSignal },
): Promise<Snapshot> {
  const { mirrors } = deps
  return openSnapshot(
    { credentials: toSourceCredentials(deps, source), mirrors },
    { ...input, repository: source.address },
  )
}

/** Returns whether a branch or a tag of a source's repository points to a commit. */
export function isTip(
  deps: SourceDeps,
  source: SourceAccess,
  { commit, signal }: { commit: string; signal: AbortSignal },
): Promise<boolean> {
  const repository = source.address
  return withToken(toSourceCredentials(deps, source), { repository, access: 'read', signal }, (token) =>
    deps.mirrors.isTip({ url: `${repository.url}.git`, token, commit, signal }),
  )
}

/** Returns a function that matches the paths of a source's files that a job may read. */
export function buildPathFilter(paths: readonly string[]): (path: string) => boolean {
  if (paths.length === 0) return () => true
  const matches = buildGlob(paths, { ignoreCase: true })
  return (path) => matches(path.normalize('NFKC'))
}

/**
 * Returns the visibility of a source. An unknown visibility counts as private.
 * @param isPrivate what the host reports; null if it does not report it
 */
export function toVisibility(setting: SourceVisibility | null, isPrivate: boolean | null): SourceVisibility {
  return setting ?? (isPrivate === false ? 'public' : 'private')
}
