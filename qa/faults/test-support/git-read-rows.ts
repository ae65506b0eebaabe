import { COMPLETES, type FaultRow, FOREVER, failsWith, OUTAGE, type Scene, type Wait } from './fault-row.ts'
import {
  AFTER_GRANT,
  AFTER_URL_OR_ACCESS,
  NO_FOREIGN_REDIRECT,
  NO_RETRY,
  RELEASE_ONCE,
  RELEASE_REPEATEDLY,
  RETRY_RUN,
  RETRY_THREE,
  WAIT_HOURLY,
  WAIT_RELEASED,
  WHEN_HOST_IS_BACK,
  WITH_FINAL_URL,
  WITH_VALID_TOKEN,
} from './reactions.ts'

const elsewhere = 'https://elsewhere.example/acme/docs.git/info/refs?service=git-upload-pack'
const hourly: Wait = { reason: 'waiting', seconds: 3600 }
const page = '<!doctype html><title>Maintenance</title>'

/** Git host faults while the repository is read. */
export const GIT_READ_ROWS: readonly FaultRow[] = [
  {
    id: 'git-read-401',
    title: 'the host returns 401 because the token is revoked or expired',
    reaction: NO_RETRY,
    advice: WITH_VALID_TOKEN,
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized'),
    both: true,
  },
  {
    id: 'git-read-403',
    title: 'the host returns 403 because the token has no read access',
    reaction: NO_RETRY,
    advice: AFTER_GRANT,
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 403, times: FOREVER }),
    expect: failsWith('git_host_forbidden'),
  },
  {
    id: 'git-read-404',
    title: 'the host returns 404 because the repository is missing or hidden from the token',
    reaction: NO_RETRY,
    advice: AFTER_URL_OR_ACCESS,
    repository: 'missing',
    expect: failsWith('git_host_not_found'),
  },
  {
    id: 'git-read-403-short-wait',
    title: 'the host returns 403 with a `Retry-After` of a few seconds',
    reaction: 'Waits as requested, at most 10 s, then retries the call.',
    arrange: ({ fault }) =>
      fault({ op: 'git.advertiseFetch', kind: 'status', status: 403, headers: { 'retry-after': '1' } }),
    expect: COMPLETES,
  },
  {
    id: 'git-read-429-long-wait',
    title: 'the host returns 429 with a `Retry-After` of more than 10 s',
    reaction: WAIT_RELEASED,
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 429, headers: { 'retry-after': '75' } }),
    expect: { ...COMPLETES, waits: [{ reason: 'waiting', seconds: 75 }] },
    both: true,
  },
  {
    id: 'git-read-429-always-later',
    title: 'the host returns 429 with a long `Retry-After` every time',
    reaction: WAIT_HOURLY,
    advice: 'Later',
    arrange: ({ fault }) =>
      fault({ op: '*', kind: 'status', status: 429, headers: { 'retry-after': '7200' }, times: FOREVER }),
    waitsUsed: 22,
    expect: failsWith('git_host_rate_limited', { waits: [hourly, hourly] }),
  },
  {
    id: 'git-read-502',
    title: 'the host returns 5xx a few times',
    reaction: RETRY_THREE,
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 502, times: 2 }),
    expect: COMPLETES,
  },
  {
    id: 'git-read-503-outage',
    title: 'the host returns 5xx for hours',
    reaction: RETRY_RUN,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 503, times: FOREVER }),
    expect: failsWith('git_host_server_error', { waits: OUTAGE }),
    both: true,
  },
  {
    id: 'git-read-reset',
    title: 'the connection is reset a few times',
    reaction: RETRY_THREE,
    arrange: ({ fault }) => fault({ op: '*', kind: 'reset', times: 2 }),
    expect: COMPLETES,
  },
  {
    id: 'git-read-reset-outage',
    title: 'the connection is reset for hours',
    reaction: RETRY_RUN,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: '*', kind: 'reset', times: FOREVER }),
    expect: failsWith('git_host_network', { waits: OUTAGE }),
  },
  {
    id: 'git-read-refused',
    title: 'the host refuses the connection',
    reaction: RETRY_RUN,
    advice: WHEN_HOST_IS_BACK,
    repository: 'closed',
    expect: failsWith('git_host_network', { waits: OUTAGE, message: /ECONNREFUSED/ }),
  },
  {
    id: 'git-read-page',
    title: 'the host returns 200 with an HTML page once',
    reaction: RELEASE_ONCE,
    arrange: ({ fault }) => fault({ op: 'git.advertiseFetch', kind: 'status', status: 200, page }),
    expect: { ...COMPLETES, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'git-read-page-outage',
    title: 'the host returns 200 with an HTML page for hours',
    reaction: RELEASE_REPEATEDLY,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 200, page, times: FOREVER }),
    expect: failsWith('git_host_protocol', { waits: OUTAGE }),
  },
  {
    id: 'git-read-renamed',
    title: 'the repository is renamed and the host redirects to its new name',
    reaction: 'Follows the redirect. Opens the pull request in the renamed repository.',
    arrange: rename,
    expect: COMPLETES,
  },
  {
    id: 'git-read-redirect-away',
    title: 'the host redirects to a different host',
    reaction: NO_FOREIGN_REDIRECT,
    advice: WITH_FINAL_URL,
    arrange: ({ fault }) =>
      fault({ op: '*', kind: 'status', status: 301, headers: { location: elsewhere }, times: FOREVER }),
    expect: failsWith('git_host_redirected'),
  },
  {
    id: 'git-read-too-large',
    title: 'the host returns 413',
    reaction: NO_RETRY,
    advice: 'No',
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 413, times: FOREVER }),
    expect: failsWith('git_host_too_large'),
  },
  {
    id: 'git-read-empty',
    title: 'the repository has no commits',
    reaction: NO_RETRY,
    advice: 'After the first commit',
    repository: 'empty',
    expect: failsWith('repository_empty_repository'),
  },
  {
    id: 'git-read-no-base',
    title: 'the base branch does not exist',
    reaction: NO_RETRY,
    advice: 'With an existing base branch',
    request: { ref: 'nowhere' },
    expect: failsWith('repository_branch_not_found'),
  },
  {
    id: 'git-read-base-gone',
    title: 'the base branch is deleted while the job is waiting',
    reaction: 'Uses the base commit in the mirror. The host rejects the pull request.',
    advice: 'With an existing base branch',
    model: { kind: 'status', status: 429, headers: { 'retry-after': '75' } },
    request: { ref: 'next' },
    arrange: ({ host, full }) => addBranch(host, full, 'next').then(() => {}),
    duringWait: async ({ host, full }) => {
      await host.git(full, 'update-ref', '-d', 'refs/heads/next')
    },
    // The mirror still has the commit. Only opening the pull request requires the branch.
    expect: failsWith('pull_request_invalid_base', { pushed: true, waits: [{ reason: 'waiting', seconds: 75 }] }),
  },
  {
    id: 'git-read-base-moved',
    title: 'the base branch receives new commits while the agent is working',
    reaction: 'Keeps its base commit. Opens the pull request against the updated branch.',
    duringAgent: ({ host, full }) => addBranch(host, full, 'main').then(() => {}),
    expect: COMPLETES,
  },
]

function rename({ host, full }: Scene): Promise<void> {
  return host.rename(full, `${full}-renamed`)
}

function addBranch(host: Scene['host'], full: string, branch: string): Promise<string> {
  const files = new Map([['more.md', { data: '# More\n' }]])
  return host.pushCommit(full, branch, { message: 'docs: more', files })
}
