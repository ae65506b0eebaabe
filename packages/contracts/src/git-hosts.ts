import { z } from 'zod'

/** The kinds of Git hosts that have an adapter. */
export const GIT_HOST_KINDS = ['github', 'gitlab', 'forgejo', 'gitea'] as const

export type GitHostKind = (typeof GIT_HOST_KINDS)[number]

/** A Git host that the operator has declared with GIT_HOSTS. */
export const DeclaredGitHost = z.object({
  /** `host` or `host:port`. */
  host: z.string(),
  kind: z.enum(GIT_HOST_KINDS),
  /** Path of an installation below the root of its host, such as `/gitlab`; otherwise empty. */
  basePath: z.string(),
})
export type DeclaredGitHost = Readonly<z.infer<typeof DeclaredGitHost>>

/** The allowed hosts. A plain `host` or `host:port` is a GitHub host. */
export type AllowedHosts = readonly (string | DeclaredGitHost)[]

/** What texts and links need to know of a kind. The adapters of the worker hold the rest. */
export interface GitHostFacts {
  readonly label: string
  /** "pull request", in the words of the host. */
  readonly pullRequest: string
  /** Allowed number of segments in a repository's path. */
  readonly segments: { readonly min: number; readonly max: number }
  /** The kind of token that fits best. */
  readonly token: string
  /** What a token needs to open pull requests, and to read a source. */
  readonly tokenNeeds: { readonly publish: string; readonly read: string }
  /** Path between a repository and a file, or a folder, at a commit. */
  readonly filePath: string
  readonly folderPath: string
  /** Fragment of the last line in a link to lines. */
  readonly lastLine: string
}

const FORGEJO = {
  pullRequest: 'pull request',
  segments: { min: 2, max: 2 },
  token: 'An access token',
  tokenNeeds: {
    publish: 'the scopes write:repository, write:issue, read:user and read:organization',
    read: 'the scope read:repository',
  },
  filePath: 'src/commit',
  folderPath: 'src/commit',
  lastLine: '-L',
}

export const GIT_HOSTS: Readonly<Record<GitHostKind, GitHostFacts>> = {
  github: {
    label: 'GitHub',
    pullRequest: 'pull request',
    segments: { min: 2, max: 2 },
    token: 'A fine-grained personal access token',
    tokenNeeds: {
      publish: 'read and write access to Contents and Pull requests',
      read: 'read access to Contents and Pull requests',
    },
    filePath: 'blob',
    folderPath: 'tree',
    lastLine: '-L',
  },
  gitlab: {
    label: 'GitLab',
    pullRequest: 'merge request',
    // GitLab nests groups up to 20 levels deep.
    segments: { min: 2, max: 21 },
    token: 'A project access token',
    tokenNeeds: {
      publish: 'the scope api and the role Developer',
      read: 'the scopes read_api and read_repository',
    },
    filePath: '-/blob',
    folderPath: '-/tree',
    lastLine: '-',
  },
  forgejo: { label: 'Forgejo', ...FORGEJO },
  gitea: { label: 'Gitea', ...FORGEJO },
}

/** Finds an allowed host by its name. */
export function findAllowedHost(allowed: AllowedHosts, host: string): DeclaredGitHost | null {
  const found = allowed.find((one) => (typeof one === 'string' ? one : one.host) === host)
  if (found === undefined) return null
  return typeof found === 'string' ? { host: found, kind: 'github', basePath: '' } : found
}

/** Returns the facts of a repository's host. A host that is not declared is GitHub. */
export const toGitHostFacts = (repositoryUrl: string, hosts: AllowedHosts): GitHostFacts =>
  GIT_HOSTS[findAllowedHost(hosts, new URL(repositoryUrl).host)?.kind ?? 'github']

/** Returns the names of the allowed hosts, for messages. */
export const toHostNames = (allowed: AllowedHosts): string[] =>
  allowed.map((one) => (typeof one === 'string' ? one : one.host))
