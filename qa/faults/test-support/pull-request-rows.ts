import { COMPLETES, type FaultRow, FOREVER, failsWith, OUTAGE, type Scene } from './fault-row.ts'
import {
  ADOPT,
  AFTER_GRANT,
  AFTER_UNARCHIVING,
  AFTER_URL_OR_ACCESS,
  NO_FOREIGN_REDIRECT,
  NO_RETRY,
  RELEASE_ONCE,
  RETRY_RUN,
  WHEN_HOST_IS_BACK,
  WITH_FINAL_URL,
  WITH_VALID_TOKEN,
} from './reactions.ts'

const page = '<!doctype html><title>Maintenance</title>'
const later = { status: 429, headers: { 'retry-after': '75' } }
const waited = [{ reason: 'waiting', seconds: 75 }] as const
const limited = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'

/**
 * REST API faults while the pull request is looked up and opened. The branch is already on the
 * host.
 */
export const PULL_REQUEST_ROWS: readonly FaultRow[] = [
  {
    id: 'pull-401',
    title: 'the host returns 401',
    reaction: NO_RETRY,
    advice: WITH_VALID_TOKEN,
    arrange: ({ fault }) => fault({ op: 'repos.get', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized', { pushed: true }),
  },
  {
    id: 'pull-403',
    title: 'the host returns 403 because the token cannot open pull requests',
    reaction: NO_RETRY,
    advice: AFTER_GRANT,
    arrange: ({ fault }) => {
      const message = 'Resource not accessible by personal access token'
      fault({ op: 'pulls.create', kind: 'status', status: 403, message, times: FOREVER })
    },
    expect: failsWith('git_host_forbidden', { pushed: true, message: /not accessible/ }),
  },
  {
    id: 'pull-404',
    title: 'the host returns 404',
    reaction: NO_RETRY,
    advice: AFTER_URL_OR_ACCESS,
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 404, message: 'Not Found', times: FOREVER }),
    expect: failsWith('git_host_not_found', { pushed: true }),
  },
  {
    id: 'pull-409',
    title: 'the host returns 409',
    reaction: NO_RETRY,
    advice: 'After you remove the cause',
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 409, message: 'Conflict', times: FOREVER }),
    expect: failsWith('git_host_validation', { pushed: true }),
  },
  {
    id: 'pull-archived',
    title: 'the repository is archived after the push',
    reaction: NO_RETRY,
    advice: AFTER_UNARCHIVING,
    arrange: ({ host, full, fault }) =>
      fault({ op: 'pulls.create', kind: 'delay', meanwhile: async () => host.archive(full, true) }),
    expect: failsWith('git_host_archived', { pushed: true }),
  },
  {
    id: 'pull-deleted',
    title: 'the repository is deleted after the push',
    reaction: NO_RETRY,
    advice: AFTER_URL_OR_ACCESS,
    arrange: ({ host, full, fault }) =>
      fault({ op: 'pulls.create', kind: 'delay', meanwhile: () => host.deleteRepository(full) }),
    expect: failsWith('git_host_not_found', { pushed: true }),
  },
  {
    id: 'pull-renamed',
    title: 'the repository is renamed after the push',
    reaction: 'Follows the redirect within the same origin.',
    arrange: ({ host, full, fault }) =>
      fault({ op: 'repos.get', kind: 'delay', meanwhile: () => host.rename(full, `${full}-renamed`) }),
    expect: COMPLETES,
  },
  {
    id: 'pull-redirect-away',
    title: 'the host redirects to a different host',
    reaction: NO_FOREIGN_REDIRECT,
    advice: WITH_FINAL_URL,
    arrange: ({ fault }) => {
      const headers = { location: 'https://elsewhere.example/api' }
      fault({ op: 'repos.get', kind: 'status', status: 302, headers, times: FOREVER })
    },
    expect: failsWith('git_host_redirected', { pushed: true, message: /elsewhere\.example/ }),
  },
  {
    id: 'pull-moved',
    title: 'the host returns 301 for the create request',
    reaction: 'Does not repeat the request, because the host accepts writes only at the new URL.',
    advice: WITH_FINAL_URL,
    arrange: ({ host, fault }) => {
      const headers = { location: `${host.apiUrl}/repositories/77/pulls` }
      fault({ op: 'pulls.create', kind: 'status', status: 301, headers, times: FOREVER })
    },
    expect: failsWith('git_host_redirected', { pushed: true, message: /moved on the host.*Update the repository URL/ }),
  },
  {
    id: 'pull-short-wait',
    title: 'the host returns 403 (secondary limit) with a `Retry-After` of a few seconds',
    reaction: 'Waits as requested, at most 30 s in total, then retries the call.',
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 403, message: limited, headers: { 'retry-after': '1' } }),
    expect: COMPLETES,
  },
  {
    id: 'pull-long-wait',
    title: 'the host returns 429 with a `Retry-After` of more than 30 s',
    reaction: 'Releases the run without using an attempt. Searches for the pull request on resuming.',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', ...later }),
    expect: { ...COMPLETES, waits: waited },
    both: true,
  },
  {
    id: 'pull-secondary-limit',
    title: 'the host returns 403 (secondary limit) without `Retry-After`',
    reaction: 'Releases the run for a minute, the minimum that GitHub requires.',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 403, message: limited }),
    expect: { ...COMPLETES, waits: [{ reason: 'waiting', seconds: 60 }] },
  },
  {
    id: 'pull-primary-limit',
    title: 'the host returns 403 with `x-ratelimit-remaining: 0`',
    reaction: 'Releases the run until the limit resets, for at most an hour at a time.',
    arrange: ({ fault }) => {
      const reset = String(Math.floor(Date.now() / 1000) + 1800)
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
      fault({ op: 'pulls.list', kind: 'status', status: 403, message: 'API rate limit exceeded', headers })
    },
    expect: { ...COMPLETES, waits: [{ reason: 'waiting', seconds: 1800 }] },
  },
  {
    id: 'pull-look-up-502',
    title: 'a lookup returns 5xx once',
    reaction: 'Retries the lookup after 1, 4 and 9 s.',
    arrange: ({ fault }) => fault({ op: 'pulls.list', kind: 'status', status: 502 }),
    expect: COMPLETES,
  },
  {
    id: 'pull-look-up-outage',
    impatient: true,
    title: 'every lookup returns 5xx for hours',
    reaction: RETRY_RUN,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: 'repos.get', kind: 'status', status: 502, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_server_error', { pushed: true, waits: OUTAGE.slice(3) }),
  },
  {
    id: 'pull-page',
    title: 'the host returns 200 with an HTML page',
    reaction: RELEASE_ONCE,
    arrange: ({ fault }) => fault({ op: 'pulls.list', kind: 'status', status: 200, page }),
    expect: { ...COMPLETES, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'pull-create-502',
    title: 'the create request returns 5xx once',
    reaction: 'Searches for the pull request, then creates it. At most four create requests.',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 502 }),
    expect: COMPLETES,
  },
  {
    id: 'pull-create-outage',
    impatient: true,
    title: 'the create request returns 5xx for hours',
    reaction: 'Retries the call, then the run after 5, 10, 20, 40 s. Searches before each retry.',
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 503, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_server_error', { pushed: true, waits: OUTAGE.slice(3) }),
  },
  {
    id: 'pull-create-reset',
    title: 'the connection is reset during the create request',
    reaction: 'Searches for the pull request, then creates it. At most four create requests.',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'reset' }),
    expect: COMPLETES,
  },
  {
    id: 'pull-create-applied-reset',
    title: 'the create request succeeds and the response is lost',
    reaction: ADOPT,
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'apply-then-reset' }),
    expect: COMPLETES,
    both: true,
  },
  {
    id: 'pull-create-applied-502',
    title: 'the create request succeeds and the host returns 5xx',
    reaction: ADOPT,
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'apply-then-status', status: 502 }),
    expect: COMPLETES,
  },
  {
    id: 'pull-create-applied-page',
    title: 'the create request succeeds and the host returns an HTML page',
    reaction: ADOPT,
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'apply-then-status', status: 200, page }),
    expect: COMPLETES,
  },
  {
    id: 'pull-create-applied-outage',
    impatient: true,
    title: 'the create request succeeds and the host is unavailable for a while',
    reaction: 'Retries after 5 s, finds the pull request and uses it.',
    arrange: ({ fault }) => {
      const meanwhile = async () => fault({ op: 'pulls.list', kind: 'status', status: 503, times: 4 })
      fault({ op: 'pulls.create', kind: 'apply-then-reset', meanwhile })
    },
    expect: { ...COMPLETES, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'pull-exists',
    title: 'the host returns 422 because the search missed an existing pull request',
    reaction: 'Repeats the search and uses the existing pull request.',
    arrange: (scene) => scene.fault({ op: 'pulls.create', kind: 'delay', meanwhile: () => openByHand(scene) }),
    expect: COMPLETES,
  },
]

/** Opens a pull request for the job's branch, as a user would. */
export async function openByHand({ host, full }: Scene): Promise<void> {
  const refs = await host.git(full, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
  const head = refs.split('\n').find((name) => name.startsWith('corrigenda/'))
  await fetch(`${host.apiUrl}/repos/${full}/pulls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}`, 'user-agent': 'a-person' },
    body: JSON.stringify({ title: 'By hand', head, base: 'main' }),
  })
}
