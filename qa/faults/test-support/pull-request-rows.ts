import { type FaultRow, FOREVER, failsWith, OUTAGE, RECOVERED, type Scene } from './fault-row.ts'

const page = '<!doctype html><title>Maintenance</title>'
const later = { status: 429, headers: { 'retry-after': '75' } }
const waited = [{ reason: 'waiting', seconds: 75 }] as const
const limited = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'

/**
 * Faults of the REST API while the pull request is looked up and opened. The branch is already on
 * the host.
 */
export const PULL_REQUEST_ROWS: readonly FaultRow[] = [
  {
    id: 'pull-401',
    title: '401',
    arrange: ({ fault }) => fault({ op: 'repos.get', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized', { pushed: true }),
  },
  {
    id: 'pull-403',
    title: '403: the token may not open pull requests',
    arrange: ({ fault }) => {
      const message = 'Resource not accessible by personal access token'
      fault({ op: 'pulls.create', kind: 'status', status: 403, message, times: FOREVER })
    },
    expect: failsWith('git_host_forbidden', { pushed: true, message: /not accessible/ }),
  },
  {
    id: 'pull-404',
    title: '404',
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 404, message: 'Not Found', times: FOREVER }),
    expect: failsWith('git_host_not_found', { pushed: true }),
  },
  {
    id: 'pull-409',
    title: '409',
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 409, message: 'Conflict', times: FOREVER }),
    expect: failsWith('git_host_validation', { pushed: true }),
  },
  {
    id: 'pull-archived',
    title: 'the repository is archived after the push',
    arrange: ({ host, full, fault }) =>
      fault({ op: 'repos.get', kind: 'delay', meanwhile: async () => host.archive(full, true) }),
    expect: failsWith('git_host_archived', { pushed: true }),
  },
  {
    id: 'pull-deleted',
    title: 'the repository is deleted after the push',
    arrange: ({ host, full, fault }) =>
      fault({ op: 'pulls.create', kind: 'delay', meanwhile: () => host.deleteRepository(full) }),
    expect: failsWith('git_host_not_found', { pushed: true }),
  },
  {
    id: 'pull-renamed',
    title: 'the repository is renamed after the push',
    arrange: ({ host, full, fault }) =>
      fault({ op: 'repos.get', kind: 'delay', meanwhile: () => host.rename(full, `${full}-renamed`) }),
    expect: RECOVERED,
  },
  {
    id: 'pull-redirect-away',
    title: 'redirect to another host',
    arrange: ({ fault }) => {
      const headers = { location: 'https://elsewhere.example/api' }
      fault({ op: 'repos.get', kind: 'status', status: 302, headers, times: FOREVER })
    },
    expect: failsWith('git_host_redirected', { pushed: true, message: /elsewhere\.example/ }),
  },
  {
    id: 'pull-short-wait',
    title: '403 (secondary limit) with `Retry-After` of seconds',
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 403, message: limited, headers: { 'retry-after': '1' } }),
    expect: RECOVERED,
  },
  {
    id: 'pull-long-wait',
    title: '429 with `Retry-After` of more than thirty seconds',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', ...later }),
    expect: { ...RECOVERED, waits: waited },
    both: true,
  },
  {
    id: 'pull-secondary-limit',
    title: '403 (secondary limit) without `Retry-After`',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 403, message: limited }),
    expect: { ...RECOVERED, waits: [{ reason: 'waiting', seconds: 60 }] },
  },
  {
    id: 'pull-primary-limit',
    title: '403 with `x-ratelimit-remaining: 0`',
    arrange: ({ fault }) => {
      const reset = String(Math.floor(Date.now() / 1000) + 1800)
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
      fault({ op: 'pulls.list', kind: 'status', status: 403, message: 'API rate limit exceeded', headers })
    },
    expect: { ...RECOVERED, waits: [{ reason: 'waiting', seconds: 1800 }] },
  },
  {
    id: 'pull-look-up-502',
    title: '5xx at a look-up, once',
    arrange: ({ fault }) => fault({ op: 'pulls.list', kind: 'status', status: 502 }),
    expect: RECOVERED,
  },
  {
    id: 'pull-look-up-outage',
    impatient: true,
    title: '5xx at a look-up, for hours',
    arrange: ({ fault }) => fault({ op: 'repos.get', kind: 'status', status: 502, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_server_error', { pushed: true, waits: OUTAGE.slice(3) }),
  },
  {
    id: 'pull-page',
    title: '200 with a page of HTML',
    arrange: ({ fault }) => fault({ op: 'pulls.list', kind: 'status', status: 200, page }),
    expect: { ...RECOVERED, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'pull-create-502',
    title: '5xx at the creation, once',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 502 }),
    expect: RECOVERED,
  },
  {
    id: 'pull-create-outage',
    impatient: true,
    title: '5xx at the creation, for hours',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 503, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_server_error', { pushed: true, waits: OUTAGE.slice(3) }),
  },
  {
    id: 'pull-create-reset',
    title: 'connection reset at the creation',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'reset' }),
    expect: RECOVERED,
  },
  {
    id: 'pull-create-applied-reset',
    title: 'it is created and the answer is lost',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'apply-then-reset' }),
    expect: RECOVERED,
    both: true,
  },
  {
    id: 'pull-create-applied-502',
    title: 'it is created and the answer is 5xx',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'apply-then-status', status: 502 }),
    expect: RECOVERED,
  },
  {
    id: 'pull-create-applied-page',
    title: 'it is created and the answer is a page of HTML',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'apply-then-status', status: 200, page }),
    expect: RECOVERED,
  },
  {
    id: 'pull-create-applied-outage',
    impatient: true,
    title: 'it is created, then the host is away for a while',
    arrange: ({ fault }) => {
      const meanwhile = async () => fault({ op: 'pulls.list', kind: 'status', status: 503, times: 4 })
      fault({ op: 'pulls.create', kind: 'apply-then-reset', meanwhile })
    },
    expect: { ...RECOVERED, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'pull-exists',
    title: '422: there is one already, which the look-up did not show',
    arrange: (scene) => scene.fault({ op: 'pulls.create', kind: 'delay', meanwhile: () => openByHand(scene) }),
    expect: RECOVERED,
  },
]

/** Opens the pull request of the job's branch as a user. */
export async function openByHand({ host, full }: Scene): Promise<void> {
  const refs = await host.git(full, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
  const head = refs.split('\n').find((name) => name.startsWith('corrigenda/'))
  await fetch(`${host.apiUrl}/repos/${full}/pulls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}`, 'user-agent': 'a-person' },
    body: JSON.stringify({ title: 'By hand', head, base: 'main' }),
  })
}
