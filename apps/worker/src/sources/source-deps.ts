import { DOCS_SOURCE, type RepositoryAddress, type SourceVisibility } from '@corrigenda/contracts'
import type { Log } from '@corrigenda/core/runtime'
import type { Mirrors, Snapshot } from '@corrigenda/git/snapshot'
import { buildGlob } from '@corrigenda/git/text'
import type { Access, Credentials } from '../git-host/credentials.ts'
import type { GitHost, OpenGitHost } from '../git-host/git-host.ts'
import { withToken } from '../git-host/with-token.ts'

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
export function toSourceCredentials(
  { credentials }: Pick<SourceDeps, 'credentials'>,
  source: SourceAccess,
): Credentials {
  return source.name === DOCS_SOURCE ? credentials : credentials.forSource(source)
}

/** Opens a client for a source's repository, and closes it after the work. */
export async function withGitHost<T>(
  deps: SourceDeps,
  source: SourceAccess,
  { access = 'read', signal }: { access?: Access; signal: AbortSignal },
  work: (gitHost: GitHost) => Promise<T>,
): Promise<T> {
  const credentials = toSourceCredentials(deps, source)
  const gitHost = await deps.openGitHost({ credentials, repository: source.address, access, signal })
  try {
    return await work(gitHost)
  } finally {
    gitHost.close()
  }
}

/** Returns whether a branch or a tag of a source's repository points to a commit. */
export function isTip(
  deps: SourceDeps,
  source: SourceAccess,
  { commit, signal }: { commit: string; signal: AbortSignal },
): Promise<boolean> {
  const credentials = toSourceCredentials(deps, source)
  return withToken(credentials, { repository: source.address, access: 'read', signal }, (token) =>
    deps.mirrors.isTip({ url: `${source.address.url}.git`, token, commit, signal }),
  )
}

/** Opens a source's repository at a commit, or at the newest commit of a branch. */
export function openSourceSnapshot(
  deps: SourceDeps,
  source: SourceAccess,
  input: { projectId: string; branch: string | null; commit?: string; signal: AbortSignal },
): Promise<Snapshot> {
  const { projectId, branch, commit, signal } = input
  const credentials = toSourceCredentials(deps, source)
  return withToken(credentials, { repository: source.address, access: 'read', signal }, (token) =>
    deps.mirrors.openSnapshot({
      ...{ tenant: projectId, url: `${source.address.url}.git`, branch, token, signal },
      ...(commit === undefined ? {} : { commit }),
    }),
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
