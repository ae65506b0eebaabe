import { z } from 'zod'
import type { Commit, GitHost, Identity } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'

/** https://docs.github.com/rest/commits/commits#compare-two-commits */
const MAX_FILES = 300

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
        hasMoreFiles: files.length >= MAX_FILES,
        commits: compared.commits.map(toCommit),
        totalCommits: compared.total_commits,
        removed: [...named('removed'), ...renamed.flatMap((file) => file.previous_filename ?? [])],
      }
    },
  }
}

const toCommit = ({ sha, commit, parents }: z.infer<typeof GitHubCommit>): Commit => ({
  ...{ id: sha, message: commit.message, firstParent: parents[0]?.sha ?? null },
})

const toIdentity = (one: z.infer<typeof Author>): Identity | null =>
  one?.name === undefined || one.email === undefined ? null : { name: one.name, email: one.email }
