import { z } from 'zod'
import type { GitHost, PullRequest } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import { neutralizeCommands } from './neutralize-commands.ts'
import type { GitLabProject } from './open-project.ts'
import { Commits, readBranch, readMergeBase } from './repository.ts'

const User = z.object({ id: z.number().int(), username: z.string() })

const MergeRequest = z.object({
  iid: z.number().int().positive(),
  web_url: z.url(),
  /** GitLab may add states. `locked` is a merge in progress. */
  state: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  draft: z.boolean().optional(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.number().nullish(),
  target_project_id: z.number(),
  sha: z.string().nullish(),
  updated_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  author: User.nullish(),
  labels: z.array(z.string()),
  reviewers: z.array(User).nullish(),
  // Null until GitLab has prepared the merge request.
  diff_refs: z.object({ start_sha: z.string().nullish() }).nullish(),
})

/** GitLab has no field for drafts (https://docs.gitlab.com/user/project/merge_requests/drafts/). */
const DRAFT = 'Draft: '
const MAX_TITLE = 255
const CONFLICT = 409
const COMMIT_PAGES = 3

type MergeRequestCalls =
  | 'listPullRequests'
  | 'findPullRequest'
  | 'getPullRequestRange'
  | 'hasCommit'
  | 'createPullRequest'
  | 'updatePullRequest'
  | 'addLabels'
  | 'requestReviewers'
  | 'getDiff'

/** Builds the calls that read and write merge requests. */
export function buildMergeRequests(project: GitLabProject): Pick<GitHost, MergeRequestCalls> {
  const toSubject = (number: number): string => `merge request ${number}`
  const read = (number: number, signal: AbortSignal | undefined) =>
    project.call({
      what: 'read the merge request',
      subject: toSubject(number),
      path: `/merge_requests/${number}`,
      schema: MergeRequest,
      signal,
    })

  return {
    async listPullRequests({ branch, signal }) {
      const listed = await project.explain(
        () =>
          project.list(
            {
              what: 'look up the merge request',
              path: '/merge_requests',
              query: { source_branch: branch, state: 'all', scope: 'all', order_by: 'created_at', sort: 'desc' },
              schema: z.array(MergeRequest),
              signal,
            },
            { pages: 1 },
          ),
        signal,
      )
      return listed.map((one) => toPullRequest(branch, one)).filter((one) => one !== null)
    },

    findPullRequest: async ({ number, branch, signal }) => toPullRequest(branch, await read(number, signal)),

    async getPullRequestRange({ number, signal }) {
      const found = await read(number, signal)
      const base = found.diff_refs?.start_sha ?? (await readBranch(project, found.target_branch, signal)).commit.id
      return {
        title: found.title,
        baseBranch: found.target_branch,
        baseCommit: base,
        headCommit: found.sha ?? '',
        fork: isFromFork(found) ? { path: await findForkPath(project, found.source_project_id, signal) } : null,
      }
    },

    async hasCommit({ number, commit, signal }) {
      const has = (all: readonly { id: string }[]) => all.some(({ id }) => id === commit)
      const commits = await project.list(
        {
          what: 'read the commits of the merge request',
          subject: toSubject(number),
          path: `/merge_requests/${number}/commits`,
          schema: Commits,
          signal,
        },
        { pages: COMMIT_PAGES, isEnough: has },
      )
      return has(commits)
    },

    async createPullRequest({ branch, base, title, body, draft, signal }) {
      await checkBranches(project, { branch, base, signal })
      const created = await project
        .explain(
          () =>
            project.call({
              what: 'open the merge request',
              method: 'POST',
              path: '/merge_requests',
              body: {
                source_branch: branch,
                target_branch: base,
                title: cut(draft ? `${DRAFT}${title}` : title),
                description: neutralizeCommands(body),
              },
              opensPullRequest: true,
              schema: MergeRequest,
              signal,
            }),
          signal,
        )
        .catch((error: unknown) => {
          if (!(error instanceof GitHostError) || error.status !== CONFLICT) throw error
          throw new GitHostError('validation', error.message, { status: CONFLICT, problem: 'already_exists' })
        })
      const pull = toPullRequest(branch, created)
      if (pull !== null) return pull
      throw new GitHostError('server_error', `The host opened a merge request from a branch other than ${branch}.`)
    },

    // Without a title, the merge request remains a draft or ready.
    async updatePullRequest({ number, body, signal }) {
      await project.explain(
        () =>
          project.call({
            what: 'describe the follow-up in the merge request',
            subject: toSubject(number),
            method: 'PUT',
            path: `/merge_requests/${number}`,
            body: { description: neutralizeCommands(body) },
            isIdempotent: true,
            schema: MergeRequest,
            signal,
          }),
        signal,
      )
    },

    async addLabels({ number, labels, signal }) {
      const wrong = labels.find((one) => one.includes(','))
      if (wrong !== undefined) {
        throw new GitHostError('validation', `The label "${wrong}" contains a comma, which GitLab does not allow.`)
      }
      await project.call({
        what: 'label the merge request',
        subject: toSubject(number),
        method: 'PUT',
        path: `/merge_requests/${number}`,
        body: { add_labels: labels.join(',') },
        schema: MergeRequest,
        signal,
      })
    },

    // GitLab replaces the reviewers. Without a paid plan, it keeps one of them.
    async requestReviewers({ number, reviewers, signal }) {
      const ids = await Promise.all(reviewers.map((login) => findUserId(project, login, signal)))
      const { reviewers: present } = await read(number, signal)
      await project.call({
        what: 'request reviews',
        subject: toSubject(number),
        method: 'PUT',
        path: `/merge_requests/${number}`,
        body: { reviewer_ids: [...new Set([...(present ?? []).map(({ id }) => id), ...ids])] },
        schema: MergeRequest,
        signal,
      })
    },

    getDiff: ({ number, signal }) =>
      project.call({
        what: 'read the diff',
        subject: toSubject(number),
        path: `/merge_requests/${number}/raw_diffs`,
        schema: z.string(),
        signal,
      }),
  }
}

const cut = (title: string): string => [...title].slice(0, MAX_TITLE).join('')

/** GitLab opens merge requests from and to branches that do not exist, and without commits. */
async function checkBranches(
  project: GitLabProject,
  { branch, base, signal }: { branch: string; base: string; signal: AbortSignal | undefined },
): Promise<void> {
  const readTip = (name: string, problem: 'unknown_head' | 'unknown_base') =>
    readBranch(project, name, signal).catch((error: unknown) => {
      if (!(error instanceof GitHostError) || error.code !== 'not_found') throw error
      throw new GitHostError('validation', error.message, { status: error.status, problem })
    })
  const head = await readTip(branch, 'unknown_head')
  const target = await readTip(base, 'unknown_base')
  const { id } = await readMergeBase(project, [target.commit.id, head.commit.id], signal)
  if (id !== head.commit.id) return
  throw new GitHostError('validation', `The branch ${branch} has no commits that are missing from ${base}.`, {
    problem: 'no_commits',
  })
}

/** @throws GitHostError `validation` for a group and for an unknown user */
async function findUserId(project: GitLabProject, login: string, signal: AbortSignal | undefined): Promise<number> {
  const [user] = login.includes('/')
    ? []
    : await project.callHost({
        what: 'find a reviewer',
        path: '/users',
        query: { username: login },
        schema: z.array(User),
        signal,
      })
  if (user !== undefined) return user.id
  throw new GitHostError(
    'validation',
    `The reviewer ${login} is not a user of the Git host. GitLab has no group reviewers.`,
  )
}

async function findForkPath(
  project: GitLabProject,
  id: number | null | undefined,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (!id) return null
  const schema = z.object({ path_with_namespace: z.string() })
  const found = await project
    .callHost({ what: 'read the fork', path: `/projects/${id}`, schema, signal })
    .catch((error: unknown) => {
      if (error instanceof GitHostError && ['not_found', 'forbidden'].includes(error.code)) return null
      throw error
    })
  return found?.path_with_namespace ?? null
}

type Found = z.infer<typeof MergeRequest>

const isFromFork = (found: Found): boolean => found.source_project_id !== found.target_project_id

/** Returns null unless the merge request is from this branch of this project. */
function toPullRequest(branch: string, found: Found): PullRequest | null {
  if (found.source_branch !== branch || isFromFork(found)) return null
  return {
    number: found.iid,
    url: found.web_url,
    state: found.state === 'merged' || found.state === 'closed' ? found.state : 'open',
    draft: found.draft ?? false,
    headSha: found.sha ?? '',
    updatedAt: found.updated_at,
    body: found.description ?? '',
    author: found.author?.username ?? null,
    hasLabels: found.labels.length > 0,
    hasReviewers: (found.reviewers?.length ?? 0) > 0,
  }
}
