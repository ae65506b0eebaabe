import { z } from 'zod'
import type { Commit, FolderFile, GitHost, Identity } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'

const MAX_FILES = 50

const REPOSITORY = {
  named: 'a repository',
  schema: z.object({
    full_name: z.string(),
    default_branch: z.string(),
    archived: z.boolean().optional(),
    private: z.boolean().optional(),
    // Some versions of GitHub Enterprise Server omit the permissions.
    permissions: z.object({ push: z.boolean().optional() }).nullish(),
  }),
}
const TREE = {
  named: 'a tree',
  schema: z.object({ tree: z.array(z.object({ path: z.string(), type: z.string() })), truncated: z.boolean() }),
}
const Entry = z.object({ type: z.string(), name: z.string(), path: z.string() })
/** A folder is a list. A file has its content, except for links, submodules and files over 1 MiB. */
const CONTENT = {
  named: 'a file or a folder',
  schema: z.union([z.array(Entry), Entry.extend({ encoding: z.string().optional(), content: z.string().optional() })]),
}

/** Builds the calls that read a repository and its files. */
export function buildRepository(client: GitHubClient): Pick<GitHost, 'getRepository' | 'readFolder' | 'listFiles'> {
  return {
    async getRepository({ signal } = {}) {
      const found = await client.call({
        what: 'read the repository',
        answer: REPOSITORY,
        run: (octokit, request) => octokit.rest.repos.get({ ...client.name, request }),
        signal,
      })
      return {
        path: found.full_name,
        defaultBranch: found.default_branch,
        isArchived: found.archived ?? false,
        isPrivate: found.private ?? null,
        mayPush: found.permissions?.push ?? null,
      }
    },

    async listFiles({ commit, signal }) {
      const { tree, truncated } = await client.call({
        what: 'list the files',
        subject: `the commit ${commit}`,
        answer: TREE,
        run: (octokit, request) =>
          octokit.rest.git.getTree({ ...client.name, tree_sha: commit, recursive: '1', request }),
        signal,
      })
      return { paths: tree.flatMap(({ path, type }) => (type === 'blob' ? [path] : [])), hasMore: truncated }
    },

    async readFolder({ path, ref, signal }) {
      const content = await readContent(client, { path, ref, signal }).catch((error: unknown) => {
        if (error instanceof GitHostError && error.code === 'not_found') return []
        throw error
      })
      const entries = Array.isArray(content) ? content.filter(({ type }) => type === 'file').slice(0, MAX_FILES) : []
      const found: FolderFile[] = []
      for (const { name, path } of entries) {
        const bytes = await readFile(client, { path, ref, signal })
        if (bytes !== null) found.push({ name, bytes })
      }
      return found
    },
  }
}

interface ContentInput {
  readonly path: string
  readonly ref: string
  readonly signal: AbortSignal | undefined
}

/** Returns null for a folder, a link, a submodule, and a file without content in the response. */
export async function readFile(client: GitHubClient, input: ContentInput): Promise<Buffer | null> {
  const found = await readContent(client, input)
  const isFile = !Array.isArray(found) && found.type === 'file' && found.encoding === 'base64'
  return isFile && found.content !== undefined ? Buffer.from(found.content, 'base64') : null
}

function readContent(client: GitHubClient, { path, ref, signal }: ContentInput) {
  return client.call({
    what: `read ${path}`,
    subject: `${path} on ${ref}`,
    answer: CONTENT,
    run: (octokit, request) => octokit.rest.repos.getContent({ ...client.name, path, ref, request }),
    signal,
  })
}

/** https://docs.github.com/rest/commits/commits#compare-two-commits */
const MAX_COMPARED_FILES = 300

export const SHA = z.string().regex(/^[0-9a-f]{40}$/)
const Parents = z.array(z.object({ sha: SHA }))
const GitHubCommit = z.object({ sha: SHA, commit: z.object({ message: z.string() }), parents: Parents })
const Author = z.object({ name: z.string().optional(), email: z.string().optional() }).nullish()

export const COMMITS = { named: 'a list of commits', schema: z.array(GitHubCommit) }
const BRANCH = {
  named: 'a branch',
  schema: z.object({
    commit: z.object({
      sha: SHA,
      // Some servers with the same API return only the SHA.
      commit: z.object({ message: z.string(), author: Author, committer: Author }).optional(),
      parents: Parents.optional(),
    }),
  }),
}
const COMPARISON = {
  named: 'a comparison',
  schema: z.object({
    merge_base_commit: z.object({ sha: SHA }),
    total_commits: z.number().int(),
    commits: z.array(GitHubCommit),
    files: z
      .array(z.object({ filename: z.string(), status: z.string(), previous_filename: z.string().optional() }))
      .optional(),
  }),
}

/** Builds the calls that read branches and commits. */
export function buildCommits(client: GitHubClient): Pick<GitHost, 'getBranch' | 'listCommits' | 'compareCommits'> {
  return {
    async getBranch({ branch, signal }) {
      const { commit } = await client.call({
        what: 'read the branch',
        subject: `the branch ${branch}`,
        answer: BRANCH,
        run: (octokit, request) => octokit.rest.repos.getBranch({ ...client.name, branch, request }),
        signal,
      })
      const { commit: details, parents = [] } = commit
      return {
        commit: commit.sha,
        message: details?.message ?? '',
        parents: parents.map(({ sha }) => sha),
        author: toIdentity(details?.author),
        committer: toIdentity(details?.committer),
      }
    },

    async listCommits({ ref, since, until, limit, signal }) {
      const commits = await client.call({
        what: 'list the commits',
        ...(ref === undefined ? {} : { subject: `the revision ${ref}` }),
        answer: COMMITS,
        run: (octokit, request) =>
          octokit.rest.repos.listCommits({
            ...client.name,
            ...(ref === undefined ? {} : { sha: ref }),
            ...(since === undefined ? {} : { since: since.toISOString() }),
            ...(until === undefined ? {} : { until: until.toISOString() }),
            per_page: Math.min(limit, 100),
            request,
          }),
        signal,
      })
      return commits.map(toCommit)
    },

    async compareCommits({ base, head, signal }) {
      const compared = await client.call({
        what: 'compare two commits',
        subject: `${base} or ${head}`,
        answer: COMPARISON,
        run: (octokit, request) =>
          octokit.rest.repos.compareCommitsWithBasehead({ ...client.name, basehead: `${base}...${head}`, request }),
        signal,
      })
      const { files = [] } = compared
      const renamed = files.filter((file) => file.status === 'renamed')
      const named = (...states: string[]) =>
        files.filter(({ status }) => states.includes(status)).map((f) => f.filename)
      return {
        mergeBase: compared.merge_base_commit.sha,
        added: named('added', 'copied', 'renamed'),
        modified: named('modified', 'changed'),
        hasMoreFiles: files.length >= MAX_COMPARED_FILES,
        commits: compared.commits.map(toCommit),
        totalCommits: compared.total_commits,
        removed: [...named('removed'), ...renamed.flatMap((file) => file.previous_filename ?? [])],
      }
    },
  }
}

const toCommit = ({ sha, commit, parents }: z.infer<typeof GitHubCommit>): Commit => ({
  id: sha,
  message: commit.message,
  firstParent: parents[0]?.sha ?? null,
})

const toIdentity = (one: z.infer<typeof Author>): Identity | null =>
  one?.name === undefined || one.email === undefined ? null : { name: one.name, email: one.email }
