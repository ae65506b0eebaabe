import { z } from 'zod'
import type { GitHost, PullRequest } from '../git-host.ts'
import { GitHostError, type PullRequestProblem } from '../git-host-error.ts'
import { Commits, compare, type ForgejoRepository, readBranch } from './repository.ts'

const Repo = z.object({ full_name: z.string() }).nullish()
const Pull = z.object({
  number: z.number().int().positive(),
  html_url: z.url(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean().nullish(),
  draft: z.boolean().optional(),
  updated_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  title: z.string(),
  body: z.string().nullish(),
  base: z.object({ ref: z.string(), sha: z.string(), repo: Repo }),
  // The repository is null if the fork was deleted.
  head: z.object({ ref: z.string(), sha: z.string(), repo: Repo }),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(z.unknown()).nullish(),
  requested_reviewers: z.array(z.unknown()).nullish(),
  requested_reviewers_teams: z.array(z.unknown()).nullish(),
})
const Labels = z.array(z.object({ id: z.number(), name: z.string() }))
const ForBody = z.object({ number: z.number() })

/** The host has no field for drafts (https://docs.gitea.com/usage/pull-request). */
const DRAFT = 'WIP: '
const MAX_TITLE = 255
const COLOR = '#0052cc'
const CONFLICT = 409
/** Pages of 50 pull requests, the last changed first. The host cannot search by branch. */
const PULL_PAGES = 20
const COMMIT_PAGES = 6
const LABEL_PAGES = 10

type PullRequestCalls =
  | 'listPullRequests'
  | 'findPullRequest'
  | 'getPullRequestRange'
  | 'hasCommit'
  | 'createPullRequest'
  | 'updatePullRequest'
  | 'addLabels'
  | 'requestReviewers'
  | 'getDiff'

/** Builds the calls that read and write pull requests. */
export function buildPullRequests(repository: ForgejoRepository): Pick<GitHost, PullRequestCalls> {
  const toSubject = (number: number): string => `pull request ${number}`
  const read = (number: number, signal: AbortSignal | undefined) =>
    repository.call({
      what: 'read the pull request',
      subject: toSubject(number),
      path: `/pulls/${number}`,
      schema: Pull,
      signal,
    })

  return {
    async listPullRequests({ branch, signal }) {
      const listed = await explain(repository, signal, () =>
        repository.list(
          {
            what: 'look up the pull request',
            path: '/pulls',
            query: { state: 'all', sort: 'recentupdate' },
            schema: z.array(Pull),
            signal,
          },
          { pages: PULL_PAGES },
        ),
      )
      const own = listed.map((one) => toPullRequest(branch, one)).filter((one) => one !== null)
      return own.sort((a, b) => b.number - a.number).slice(0, 100)
    },

    findPullRequest: async ({ number, branch, signal }) => toPullRequest(branch, await read(number, signal)),

    async getPullRequestRange({ number, signal }) {
      const { title, base, head } = await read(number, signal)
      const fork = isSame(head, base) ? null : { path: head.repo?.full_name ?? null }
      return { title, baseBranch: base.ref, baseCommit: base.sha, headCommit: head.sha, fork }
    },

    async hasCommit({ number, commit, signal }) {
      const has = (all: readonly { sha: string }[]) => all.some(({ sha }) => sha === commit)
      const commits = await repository.list(
        {
          what: 'read the commits of the pull request',
          subject: toSubject(number),
          path: `/pulls/${number}/commits`,
          query: { verification: false, files: false },
          schema: Commits,
          signal,
        },
        { pages: COMMIT_PAGES, isEnough: has },
      )
      return has(commits)
    },

    async createPullRequest({ branch, base, title, body, draft, signal }) {
      await checkBranches(repository, { branch, base, signal })
      const created = await explain(repository, signal, () =>
        repository.call({
          what: 'open the pull request',
          method: 'POST',
          path: '/pulls',
          body: { head: branch, base, title: cut(draft ? `${DRAFT}${title}` : title), body },
          opensPullRequest: true,
          schema: Pull,
          signal,
        }),
      ).catch((error: unknown) => {
        throw withProblem(error, CONFLICT, 'already_exists')
      })
      const pull = toPullRequest(branch, created)
      if (pull !== null) return pull
      throw new GitHostError('server_error', `The host opened a pull request from a branch other than ${branch}.`)
    },

    async updatePullRequest({ number, body, signal }) {
      await repository.call({
        what: 'describe the follow-up in the pull request',
        subject: toSubject(number),
        method: 'PATCH',
        path: `/pulls/${number}`,
        body: { body },
        isIdempotent: true,
        schema: ForBody,
        signal,
      })
    },

    // Labels are added by their ids, and must exist in the repository.
    async addLabels({ number, labels, signal }) {
      const context = { what: 'label the pull request', subject: toSubject(number), signal }
      const known = await repository.list({ ...context, path: '/labels', schema: Labels }, { pages: LABEL_PAGES })
      const ids: number[] = []
      for (const name of labels) {
        const found = known.find((one) => one.name === name)
        const label =
          found ??
          (await repository.call({
            ...context,
            method: 'POST',
            path: '/labels',
            body: { name, color: COLOR },
            schema: z.object({ id: z.number() }),
          }))
        ids.push(label.id)
      }
      await repository.call({
        ...context,
        method: 'POST',
        path: `/issues/${number}/labels`,
        body: { labels: ids },
        schema: Labels,
      })
    },

    async requestReviewers({ number, reviewers, signal }) {
      const teams = reviewers.flatMap((one) => one.split('/')[1] ?? [])
      await repository
        .call({
          what: 'request reviews',
          subject: `${toSubject(number)}, or one of the reviewers,`,
          method: 'POST',
          path: `/pulls/${number}/requested_reviewers`,
          body: { reviewers: reviewers.filter((one) => !one.includes('/')), team_reviewers: teams },
          schema: z.unknown(),
          signal,
        })
        .catch((error: unknown) => {
          // The host does not find a reviewer who does not exist.
          throw withProblem(error, 404, null)
        })
    },

    getDiff: ({ number, signal }) =>
      repository.call({
        what: 'read the diff',
        subject: toSubject(number),
        path: `/pulls/${number}.diff`,
        schema: z.string(),
        signal,
      }),
  }
}

const cut = (title: string): string => [...title].slice(0, MAX_TITLE).join('')

/** Turns an error with this status into a rejection. Returns all others unchanged. */
function withProblem(error: unknown, status: number, problem: PullRequestProblem | null): unknown {
  if (!(error instanceof GitHostError) || error.status !== status) return error
  return new GitHostError('validation', error.message, { status, problem })
}

/**
 * Checks the branches first: the host's error does not name a missing branch, and the host accepts a
 * pull request without commits.
 */
async function checkBranches(
  repository: ForgejoRepository,
  { branch, base, signal }: { branch: string; base: string; signal: AbortSignal | undefined },
): Promise<void> {
  const check = async (name: string, problem: PullRequestProblem) => {
    try {
      return (await readBranch(repository, name, signal)).commit.id
    } catch (error) {
      throw withProblem(error, 404, problem)
    }
  }
  const head = await check(branch, 'unknown_head')
  const target = await check(base, 'unknown_base')
  const { total_commits: commits } = await compare(repository, { base: target, head, signal })
  if (commits > 0) return
  throw new GitHostError('validation', `The branch ${branch} has no commits that are missing from ${base}.`, {
    problem: 'no_commits',
  })
}

/**
 * Explains a refusal that the host does not explain.
 * @throws GitHostError `forbidden` if pull requests are switched off
 */
async function explain<T>(
  repository: ForgejoRepository,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GitHostError) || error.code !== 'not_found') throw error
    const schema = z.object({ has_pull_requests: z.boolean().optional() })
    const found = await repository
      .call({ what: 'read the repository', path: '', schema, signal })
      .catch(() => ({ has_pull_requests: true }))
    if (found.has_pull_requests !== false) throw error
    throw new GitHostError(
      'forbidden',
      'Pull requests are switched off for the repository. Switch them on in its settings.',
    )
  }
}

type Side = z.infer<typeof Pull>['head']

const isSame = (head: Side, base: Side): boolean =>
  head.repo != null && head.repo.full_name.toLowerCase() === base.repo?.full_name.toLowerCase()

/** Returns null unless the pull request is from this branch of this repository. */
function toPullRequest(branch: string, { head, base, ...pull }: z.infer<typeof Pull>): PullRequest | null {
  if (head.ref !== branch || !isSame(head, base)) return null
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.merged ? 'merged' : pull.state,
    draft: pull.draft ?? false,
    headSha: head.sha,
    updatedAt: pull.updated_at,
    body: pull.body ?? '',
    author: pull.user?.login ?? null,
    hasLabels: (pull.labels?.length ?? 0) > 0,
    hasReviewers: (pull.requested_reviewers?.length ?? 0) + (pull.requested_reviewers_teams?.length ?? 0) > 0,
  }
}
