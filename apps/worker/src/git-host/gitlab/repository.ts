import { z } from 'zod'
import type { Commit, GitHost } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitLabProject } from './open-project.ts'

const MAX_FILES = 50
/** Pages of 100 files and folders. */
const TREE_PAGES = 1000
const DEVELOPER = 30

const Sha = z.string().regex(/^[0-9a-f]{40}$/)
const GitLabCommit = z.object({
  id: Sha,
  message: z.string(),
  parent_ids: z.array(Sha),
  author_name: z.string(),
  author_email: z.string(),
  committer_name: z.string(),
  committer_email: z.string(),
})
export const Commits = z.array(GitLabCommit)
const Branch = z.object({ commit: GitLabCommit })
const Comparison = z.object({
  commits: Commits,
  diffs: z.array(
    z.object({
      old_path: z.string(),
      new_path: z.string(),
      new_file: z.boolean(),
      renamed_file: z.boolean(),
      deleted_file: z.boolean(),
    }),
  ),
  compare_timeout: z.boolean().optional(),
})
const Entries = z.array(z.object({ id: z.string(), path: z.string(), name: z.string(), type: z.string() }))
const File = z.object({ encoding: z.literal('base64'), content: z.string() })

type RepositoryCalls = 'getRepository' | 'readFolder' | 'listFiles' | 'getBranch' | 'listCommits' | 'compareCommits'

/** Builds the calls that read a project, its files, branches and commits. */
export function buildRepository(project: GitLabProject): Pick<GitHost, RepositoryCalls> {
  return {
    async getRepository({ signal } = {}) {
      const found = await project.read(signal)
      const { project_access: own, group_access: group } = found.permissions ?? {}
      const level = Math.max(own?.access_level ?? 0, group?.access_level ?? 0)
      return {
        path: found.path_with_namespace,
        defaultBranch: found.default_branch ?? '',
        isArchived: found.archived ?? false,
        // An internal project is visible to the users of the host only.
        isPrivate: found.visibility === undefined ? null : found.visibility !== 'public',
        mayPush: found.permissions ? level >= DEVELOPER : null,
      }
    },

    async readFolder({ path, ref, signal }) {
      const entries = await project
        .list(
          { what: `read ${path}`, path: '/repository/tree', query: { path, ref }, schema: Entries, signal },
          { pages: 1 },
        )
        .catch((error: unknown) => {
          if (error instanceof GitHostError && error.code === 'not_found') return []
          throw error
        })
      const files = entries.filter(({ type }) => type === 'blob').slice(0, MAX_FILES)
      return Promise.all(
        files.map(async ({ name, path }) => ({ name, bytes: await readFile(project, { path, ref, signal }) })),
      )
    },

    async listFiles({ commit, signal }) {
      const paths: string[] = []
      let after: string | undefined
      for (let page = 1; page <= TREE_PAGES; page += 1) {
        const entries = await project.call({
          what: 'list the files',
          subject: `the commit ${commit}`,
          path: '/repository/tree',
          query: { ref: commit, recursive: true, per_page: 100, pagination: 'keyset', page_token: after },
          schema: Entries,
          signal,
        })
        paths.push(...entries.flatMap(({ path, type }) => (type === 'blob' ? [path] : [])))
        if (entries.length < 100) return { paths, hasMore: false }
        after = entries.at(-1)?.id
      }
      return { paths, hasMore: true }
    },

    async getBranch({ branch, signal }) {
      const { commit } = await readBranch(project, branch, signal)
      return {
        commit: commit.id,
        message: commit.message,
        parents: commit.parent_ids,
        author: { name: commit.author_name, email: commit.author_email },
        committer: { name: commit.committer_name, email: commit.committer_email },
      }
    },

    async listCommits({ ref, since, until, limit, signal }) {
      const commits = await project.call({
        what: 'list the commits',
        subject: `the revision ${ref ?? 'HEAD'}`,
        path: '/repository/commits',
        query: {
          ref_name: ref,
          since: since?.toISOString(),
          until: until?.toISOString(),
          per_page: Math.min(limit, 100),
        },
        schema: Commits,
        signal,
      })
      return commits.map(toCommit)
    },

    async compareCommits({ base, head, signal }) {
      const context = { what: 'compare two commits', subject: `${base} or ${head}`, signal }
      const {
        commits,
        diffs,
        compare_timeout: isPartial,
      } = await project.call({
        ...context,
        path: '/repository/compare',
        query: { from: base, to: head, straight: false },
        schema: Comparison,
      })
      const { id: mergeBase } = await readMergeBase(project, [base, head], signal)
      const named = (isWanted: (diff: (typeof diffs)[number]) => boolean) => diffs.filter(isWanted)
      return {
        mergeBase,
        added: named((one) => one.new_file || one.renamed_file).map((one) => one.new_path),
        modified: named((one) => !one.new_file && !one.renamed_file && !one.deleted_file).map((one) => one.new_path),
        removed: named((one) => one.deleted_file || one.renamed_file).map((one) => one.old_path),
        hasMoreFiles: isPartial ?? false,
        commits: commits.map(toCommit),
        totalCommits: commits.length,
      }
    },
  }
}

interface FileInput {
  readonly path: string
  readonly ref: string
  readonly signal: AbortSignal | undefined
}

/** @throws GitHostError `not_found` */
export async function readFile(project: GitLabProject, { path, ref, signal }: FileInput): Promise<Buffer> {
  const { content } = await project.call({
    what: `read ${path}`,
    subject: `${path} on ${ref}`,
    path: `/repository/files/${encodeURIComponent(path)}`,
    query: { ref },
    schema: File,
    signal,
  })
  return Buffer.from(content, 'base64')
}

/** @throws GitHostError `not_found` */
export function readBranch(project: GitLabProject, branch: string, signal: AbortSignal | undefined) {
  return project.call({
    what: 'read the branch',
    subject: `the branch ${branch}`,
    path: `/repository/branches/${encodeURIComponent(branch)}`,
    schema: Branch,
    signal,
  })
}

/** @throws GitHostError `not_found` if the commits have no common history */
export function readMergeBase(
  project: GitLabProject,
  refs: readonly [string, string],
  signal: AbortSignal | undefined,
) {
  const query = refs.map((ref) => `refs[]=${encodeURIComponent(ref)}`).join('&')
  return project.call({
    what: 'find the merge base',
    subject: 'one of the commits',
    path: `/repository/merge_base?${query}`,
    schema: z.object({ id: Sha }),
    signal,
  })
}

const toCommit = ({ id, message, parent_ids: parents }: z.infer<typeof GitLabCommit>): Commit => ({
  id,
  message: message.trimEnd(),
  firstParent: parents[0] ?? null,
})
