import { z } from 'zod'
import type { GitHost, PullRequest } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { Answer } from './build-api.ts'
import type { GitHubClient } from './open-client.ts'
import { COMMITS, SHA } from './repository.ts'

const Repository = z.object({ full_name: z.string().regex(/^[^/\s]{1,100}\/[^/\s]{1,100}$/) })

const Pull = z.object({
  number: z.number().int().positive(),
  html_url: z.url(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullable(),
  updated_at: z.iso.datetime().transform((text) => new Date(text)),
  draft: z.boolean().optional(),
  body: z.string().nullable(),
  base: z.object({ repo: Repository }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: Repository.nullable() }),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(z.object({ name: z.string().optional() })),
  requested_reviewers: z.array(z.unknown()).nullish(),
  requested_teams: z.array(z.unknown()).nullish(),
})

const PULL: Answer<z.infer<typeof Pull>> = { named: 'a pull request', schema: Pull }
export const PULLS: Answer<z.infer<typeof Pull>[]> = { named: 'a list of pull requests', schema: z.array(Pull) }
const NAME = { named: 'a repository', schema: Repository }
const RANGE = {
  named: 'a pull request',
  schema: z.object({
    title: z.string(),
    base: z.object({ ref: z.string(), sha: SHA, repo: Repository }),
    head: z.object({ sha: SHA, repo: Repository.nullable() }),
  }),
}
/** The response to a change of a pull request. */
const CHANGED = { named: 'a pull request', schema: z.object({ number: z.number().int() }) }
const LABELS = { named: 'a list of labels', schema: z.array(z.object({ name: z.string() })) }
/** Without a charset in the response, the client library returns the bytes. */
const DIFF = {
  named: 'a diff',
  schema: z
    .union([z.string(), z.instanceof(ArrayBuffer).transform((bytes) => Buffer.from(bytes).toString('utf8'))])
    .pipe(z.string().startsWith('diff --git ')),
}

const PER_PAGE = 100
/** GitHub lists the first 250 commits of a pull request. */
const PAGES = [1, 2, 3]

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
export function buildPullRequests(client: GitHubClient): Pick<GitHost, PullRequestCalls> {
  const toSubject = (number: number): string => `pull request ${number}`

  /**
   * Reads the repository's current name. A renamed or transferred repository still responds at its
   * old URL, but the `head` filter requires the current owner.
   */
  const readName = async (signal: AbortSignal | undefined): Promise<void> => {
    const { full_name: path } = await client.call({
      what: 'find the repository',
      answer: NAME,
      run: (octokit, request) => octokit.rest.repos.get({ ...client.name, request }),
      signal,
    })
    const [owner = '', repo = ''] = path.split('/')
    client.setName({ owner, repo })
  }

  return {
    async listPullRequests({ branch, signal }) {
      await readName(signal)
      const head = `${client.name.owner}:${branch}`
      const listed = await client.call({
        what: 'look up the pull request',
        answer: PULLS,
        run: (octokit, request) =>
          octokit.rest.pulls.list({ ...client.name, head, state: 'all', per_page: PER_PAGE, request }),
        signal,
      })
      return listed.map((one) => toPullRequest(branch, one)).filter((one) => one !== null)
    },

    async findPullRequest({ number, branch, signal }) {
      const pull = await client.call({
        what: 'read the pull request',
        subject: toSubject(number),
        answer: PULL,
        run: (octokit, request) => octokit.rest.pulls.get({ ...client.name, pull_number: number, request }),
        signal,
      })
      return toPullRequest(branch, pull)
    },

    async getPullRequestRange({ number, signal }) {
      const { title, base, head } = await client.call({
        what: 'read the pull request',
        subject: toSubject(number),
        answer: RANGE,
        run: (octokit, request) => octokit.rest.pulls.get({ ...client.name, pull_number: number, request }),
        signal,
      })
      const fork = isSame(head, base) ? null : { path: head.repo?.full_name ?? null }
      return { title, baseBranch: base.ref, baseCommit: base.sha, headCommit: head.sha, fork }
    },

    async hasCommit({ number, commit, signal }) {
      for (const page of PAGES) {
        const commits = await client.call({
          what: 'read the commits of the pull request',
          subject: toSubject(number),
          answer: COMMITS,
          run: (octokit, request) =>
            octokit.rest.pulls.listCommits({ ...client.name, pull_number: number, per_page: PER_PAGE, page, request }),
          signal,
        })
        if (commits.some(({ sha }) => sha === commit)) return true
        if (commits.length < PER_PAGE) return false
      }
      return false
    },

    async createPullRequest({ branch, base, title, body, draft, signal }) {
      const created = await client.call({
        what: 'open the pull request',
        answer: PULL,
        run: (octokit, request) =>
          octokit.rest.pulls.create({ ...client.name, title, body, head: branch, base, draft, request }),
        // The client must not retry, because the pull request may exist even if no response arrived.
        retries: 0,
        signal,
      })
      const pull = toPullRequest(branch, created)
      if (pull !== null) return pull
      throw new GitHostError('server_error', `The host opened a pull request from a branch other than ${branch}.`)
    },

    async updatePullRequest({ number, body, signal }) {
      await client.call({
        what: 'describe the follow-up in the pull request',
        subject: toSubject(number),
        answer: CHANGED,
        run: (octokit, request) => octokit.rest.pulls.update({ ...client.name, pull_number: number, body, request }),
        signal,
      })
    },

    async addLabels({ number, labels, signal }) {
      await client.call({
        what: 'label the pull request',
        subject: `${toSubject(number)}, or one of the labels,`,
        answer: LABELS,
        run: (octokit, request) =>
          octokit.rest.issues.addLabels({ ...client.name, issue_number: number, labels: [...labels], request }),
        retries: 0,
        signal,
      })
    },

    async requestReviewers({ number, reviewers, signal }) {
      const users = reviewers.filter((one) => !one.includes('/'))
      const teams = reviewers.flatMap((one) => one.split('/')[1] ?? [])
      await client.call({
        what: 'request reviews',
        subject: toSubject(number),
        answer: CHANGED,
        run: (octokit, request) =>
          octokit.rest.pulls.requestReviewers({
            ...client.name,
            pull_number: number,
            request,
            ...(users.length > 0 ? { reviewers: users } : {}),
            ...(teams.length > 0 ? { team_reviewers: teams } : {}),
          }),
        retries: 0,
        signal,
      })
    },

    getDiff: ({ number, signal }) =>
      client.call({
        what: 'read the diff',
        subject: toSubject(number),
        answer: DIFF,
        run: (octokit, request) =>
          octokit.rest.pulls.get({ ...client.name, pull_number: number, mediaType: { format: 'diff' }, request }),
        signal,
      }),
  }
}

type Side = Pick<z.infer<typeof Pull>['head'], 'repo'>

/** The repository of a head is null if the fork was deleted. */
const isSame = (head: Side, base: Side): boolean =>
  head.repo !== null && head.repo.full_name.toLowerCase() === base.repo?.full_name.toLowerCase()

/**
 * Returns null unless the pull request is from this branch of this repository. A fork may use the
 * same branch name.
 */
function toPullRequest(branch: string, { head, base, ...pull }: z.infer<typeof Pull>): PullRequest | null {
  if (head.ref !== branch || !(head.repo === null || isSame(head, base))) return null
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.merged_at !== null ? 'merged' : pull.state,
    draft: pull.draft ?? false,
    headSha: head.sha,
    updatedAt: pull.updated_at,
    body: pull.body ?? '',
    author: pull.user?.login ?? null,
    hasLabels: pull.labels.length > 0,
    hasReviewers: (pull.requested_reviewers?.length ?? 0) + (pull.requested_teams?.length ?? 0) > 0,
  }
}
