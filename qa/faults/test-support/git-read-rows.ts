import { type FaultRow, FOREVER, failsWith, OUTAGE, RECOVERED, type Scene, type Wait } from './fault-row.ts'

const elsewhere = 'https://elsewhere.example/acme/docs.git/info/refs?service=git-upload-pack'
const hourly: Wait = { reason: 'waiting', seconds: 3600 }
const page = '<!doctype html><title>Maintenance</title>'

/** Faults of the Git host while the repository is read. */
export const GIT_READ_ROWS: readonly FaultRow[] = [
  {
    id: 'git-read-401',
    title: '401: the token is revoked or expired',
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized'),
    both: true,
  },
  {
    id: 'git-read-403',
    title: '403: the token may not read the repository',
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 403, times: FOREVER }),
    expect: failsWith('git_host_forbidden'),
  },
  {
    id: 'git-read-404',
    title: '404: no such repository, or the token may not see it',
    repository: 'missing',
    expect: failsWith('git_host_not_found'),
  },
  {
    id: 'git-read-403-short-wait',
    title: '403 with `Retry-After` of seconds',
    arrange: ({ fault }) =>
      fault({ op: 'git.advertiseFetch', kind: 'status', status: 403, headers: { 'retry-after': '1' } }),
    expect: RECOVERED,
  },
  {
    id: 'git-read-429-long-wait',
    title: '429 with `Retry-After` of more than ten seconds',
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 429, headers: { 'retry-after': '75' } }),
    expect: { ...RECOVERED, waits: [{ reason: 'waiting', seconds: 75 }] },
    both: true,
  },
  {
    id: 'git-read-429-always-later',
    title: '429 with a long `Retry-After`, again and again',
    arrange: ({ fault }) =>
      fault({ op: '*', kind: 'status', status: 429, headers: { 'retry-after': '7200' }, times: FOREVER }),
    waitsUsed: 22,
    expect: failsWith('git_host_rate_limited', { waits: [hourly, hourly] }),
  },
  {
    id: 'git-read-502',
    title: '5xx, a few times',
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 502, times: 2 }),
    expect: RECOVERED,
  },
  {
    id: 'git-read-503-outage',
    title: '5xx for hours',
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 503, times: FOREVER }),
    expect: failsWith('git_host_server_error', { waits: OUTAGE }),
    both: true,
  },
  {
    id: 'git-read-reset',
    title: 'connection reset, a few times',
    arrange: ({ fault }) => fault({ op: '*', kind: 'reset', times: 2 }),
    expect: RECOVERED,
  },
  {
    id: 'git-read-reset-outage',
    title: 'connection reset, for hours',
    arrange: ({ fault }) => fault({ op: '*', kind: 'reset', times: FOREVER }),
    expect: failsWith('git_host_network', { waits: OUTAGE }),
  },
  {
    id: 'git-read-refused',
    title: 'connection refused',
    repository: 'closed',
    expect: failsWith('git_host_network', { waits: OUTAGE, message: /ECONNREFUSED/ }),
  },
  {
    id: 'git-read-page',
    title: '200 with a page of HTML, once',
    arrange: ({ fault }) => fault({ op: 'git.advertiseFetch', kind: 'status', status: 200, page }),
    expect: { ...RECOVERED, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'git-read-page-outage',
    title: '200 with a page of HTML, for hours',
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 200, page, times: FOREVER }),
    expect: failsWith('git_host_protocol', { waits: OUTAGE }),
  },
  {
    id: 'git-read-renamed',
    title: 'redirect on the same host: the repository was renamed',
    arrange: rename,
    expect: RECOVERED,
  },
  {
    id: 'git-read-redirect-away',
    title: 'redirect to another host',
    arrange: ({ fault }) =>
      fault({ op: '*', kind: 'status', status: 301, headers: { location: elsewhere }, times: FOREVER }),
    expect: failsWith('git_host_redirected'),
  },
  {
    id: 'git-read-too-large',
    title: '413',
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 413, times: FOREVER }),
    expect: failsWith('git_host_too_large'),
  },
  {
    id: 'git-read-empty',
    title: 'the repository has no commits',
    repository: 'empty',
    expect: failsWith('repository_empty_repository'),
  },
  {
    id: 'git-read-no-base',
    title: 'the base branch does not exist',
    request: { ref: 'nowhere' },
    expect: failsWith('repository_branch_not_found'),
  },
  {
    id: 'git-read-base-gone',
    title: 'the base branch is deleted while the job waits',
    model: { kind: 'status', status: 429, headers: { 'retry-after': '75' } },
    request: { ref: 'next' },
    arrange: ({ host, full }) => addBranch(host, full, 'next').then(() => {}),
    duringWait: async ({ host, full }) => {
      await host.git(full, 'update-ref', '-d', 'refs/heads/next')
    },
    // The copy of the repository still has the commit. Only opening the pull request requires the
    // branch.
    expect: failsWith('pull_request_invalid_base', { pushed: true, waits: [{ reason: 'waiting', seconds: 75 }] }),
  },
  {
    id: 'git-read-base-moved',
    title: 'the base branch moves on meanwhile',
    duringAgent: ({ host, full }) => addBranch(host, full, 'main').then(() => {}),
    expect: RECOVERED,
  },
]

function rename({ host, full }: Scene): Promise<void> {
  return host.rename(full, `${full}-renamed`)
}

function addBranch(host: Scene['host'], full: string, branch: string): Promise<string> {
  const files = new Map([['more.md', { data: '# More\n' }]])
  return host.pushCommit(full, branch, { message: 'docs: more', files })
}
