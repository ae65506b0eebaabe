import { z } from 'zod'
import type { Commit, GitHost } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { RestClient } from '../rest/open-rest-client.ts'

/** Calls whose paths start below the repository. */
export type ForgejoRepository = Pick<RestClient, 'call' | 'list'>

const MAX_FILES = 50
const TREE_PAGES = 100
const TREE_PAGE = 1000
const COMMIT_PAGES = 20

const Sha = z.string().regex(/^[0-9a-f]{40}$/)
const Person = z.object({ name: z.string(), email: z.string() }).nullish()
const ForgejoCommit = z.object({
  sha: Sha,
  commit: z.object({ message: z.string() }),
  created: z.string(),
  parents: z.array(z.object({ sha: Sha })),
  files: z.array(z.object({ filename: z.string(), status: z.string().optional() })).nullish(),
})
export const Commits = z.array(ForgejoCommit)
const Branch = z.object({
  commit: z.object({ id: Sha, message: z.string(), author: Person, committer: Person }),
})
const Comparison = z.object({ commits: Commits, total_commits: z.number().int() })
const Repository = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  archived: z.boolean().optional(),
  private: z.boolean().optional(),
  internal: z.boolean().optional(),
  permissions: z.object({ push: z.boolean() }).nullish(),
})
const Tree = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string() })).nullish(),
  truncated: z.boolean(),
})
const Entry = z.object({ name: z.string(), path: z.string(), type: z.string() })
const Content = z.union([
  z.array(Entry),
  Entry.extend({ encoding: z.string().nullish(), content: z.string().nullish() }),
])

type RepositoryCalls = 'getRepository' | 'readFolder' | 'listFiles' | 'getBranch' | 'listCommits' | 'compareCommits'

/** Builds the calls that read a repository, its files, branches and commits. */
export function buildRepository(repository: ForgejoRepository): Pick<GitHost, RepositoryCalls> {
  return {
    async getRepository({ signal } = {}) {
      const found = await repository.call({ what: 'read the repository', path: '', schema: Repository, signal })
      return {
        path: found.full_name,
        defaultBranch: found.default_branch,
        isArchived: found.archived ?? false,
        isPrivate: found.private === undefined ? null : found.private || found.internal === true,
        mayPush: found.permissions?.push ?? null,
      }
    },

    async readFolder({ path, ref, signal }) {
      const found = await readContent(repository, { path, ref, signal }).catch((error: unknown) => {
        if (error instanceof GitHostError && error.code === 'not_found') return []
        throw error
      })
      const entries = Array.isArray(found) ? found.filter(({ type }) => type === 'file').slice(0, MAX_FILES) : []
      const files = await Promise.all(
        entries.map(async ({ name, path }) => ({ name, bytes: await readFile(repository, { path, ref, signal }) })),
      )
      return files.flatMap(({ name, bytes }) => (bytes === null ? [] : [{ name, bytes }]))
    },

    async listFiles({ commit, signal }) {
      const paths: string[] = []
      for (let page = 1; page <= TREE_PAGES; page += 1) {
        const { tree, truncated } = await repository.call({
          what: 'list the files',
          subject: `the commit ${commit}`,
          path: `/git/trees/${commit}`,
          query: { recursive: true, per_page: TREE_PAGE, page },
          schema: Tree,
          signal,
        })
        paths.push(...(tree ?? []).flatMap(({ path, type }) => (type === 'blob' ? [path] : [])))
        if (!truncated) return { paths, hasMore: false }
      }
      return { paths, hasMore: true }
    },

    async getBranch({ branch, signal }) {
      const { commit } = await readBranch(repository, branch, signal)
      const [full] = await listNewest(repository, { ref: commit.id, signal })
      return {
        commit: commit.id,
        message: commit.message.trimEnd(),
        parents: full?.parents.map(({ sha }) => sha) ?? [],
        author: toIdentity(commit.author),
        committer: toIdentity(commit.committer),
      }
    },

    // Not all versions can limit the times.
    async listCommits({ ref, since, until, limit, signal }) {
      const isWanted = ({ created }: { created: string }) => until === undefined || new Date(created) <= until
      const isOld = ({ created }: { created: string }) => since !== undefined && new Date(created) < since
      const commits = await repository.list(
        {
          what: 'list the commits',
          subject: `the revision ${ref ?? 'HEAD'}`,
          path: '/commits',
          query: { sha: ref, stat: false, verification: false, files: false },
          schema: Commits,
          signal,
        },
        { pages: COMMIT_PAGES, isEnough: (all) => all.some(isOld) || all.filter(isWanted).length >= limit },
      )
      return commits
        .filter((one) => isWanted(one) && !isOld(one))
        .slice(0, limit)
        .map(toCommit)
    },

    async compareCommits({ base, head, signal }) {
      const { commits, total_commits: totalCommits } = await compare(repository, { base, head, signal })
      const oldestFirst = commits.toReversed()
      const [oldest] = oldestFirst
      const mergeBase = oldest?.parents[0]?.sha ?? (await listNewest(repository, { ref: head, signal }))[0]?.sha ?? head
      return {
        mergeBase,
        ...combineFiles(oldestFirst),
        hasMoreFiles: commits.length < totalCommits,
        commits: oldestFirst.map(toCommit),
        totalCommits,
      }
    },
  }
}

interface Comparing {
  readonly base: string
  readonly head: string
  readonly signal: AbortSignal | undefined
}

/** Returns the commits of `head` that `base` does not contain, newest first. */
export function compare(repository: ForgejoRepository, { base, head, signal }: Comparing) {
  return repository.call({
    what: 'compare two commits',
    subject: `${base} or ${head}`,
    path: `/compare/${encodePath(base)}...${encodePath(head)}`,
    schema: Comparison,
    signal,
  })
}

/** The host lists the files of each commit. A later commit can undo what an earlier one did. */
function combineFiles(oldestFirst: z.infer<typeof Commits>) {
  const changes = new Map<string, string>()
  for (const { filename, status = 'modified' } of oldestFirst.flatMap(({ files }) => files ?? [])) {
    const before = changes.get(filename)
    if (before === 'added' && status === 'removed') changes.delete(filename)
    else if (before === 'added') changes.set(filename, 'added')
    else changes.set(filename, before === 'removed' && status === 'added' ? 'modified' : status)
  }
  const named = (wanted: string) => [...changes].filter(([, status]) => status === wanted).map(([path]) => path)
  return { added: named('added'), modified: named('modified'), removed: named('removed') }
}

interface Place {
  readonly ref: string
  readonly signal: AbortSignal | undefined
}

async function listNewest(repository: ForgejoRepository, { ref, signal }: Place) {
  const query = { sha: ref, limit: 1, stat: false, verification: false, files: false }
  return repository.call({ what: 'read a commit', path: '/commits', query, schema: Commits, signal })
}

/** @throws GitHostError `not_found` */
export function readBranch(repository: ForgejoRepository, branch: string, signal: AbortSignal | undefined) {
  return repository.call({
    what: 'read the branch',
    subject: `the branch ${branch}`,
    path: `/branches/${encodePath(branch)}`,
    schema: Branch,
    signal,
  })
}

/**
 * Returns null for anything but a file with content.
 * @throws GitHostError `not_found`
 */
export async function readFile(repository: ForgejoRepository, input: Place & { path: string }): Promise<Buffer | null> {
  const found = await readContent(repository, input)
  return Array.isArray(found) || found.encoding !== 'base64' ? null : Buffer.from(found.content ?? '', 'base64')
}

function readContent(repository: ForgejoRepository, { path, ref, signal }: Place & { path: string }) {
  return repository.call({
    what: `read ${path}`,
    subject: `${path} on ${ref}`,
    path: `/contents/${encodePath(path)}`,
    query: { ref },
    schema: Content,
    signal,
  })
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const toIdentity = (one: z.infer<typeof Person>) => one ?? null

const toCommit = ({ sha, commit, parents }: z.infer<typeof ForgejoCommit>): Commit => ({
  id: sha,
  message: commit.message.trimEnd(),
  firstParent: parents[0]?.sha ?? null,
})
