import { COMPLETES, type FaultRow, FOREVER, failsWith, OUTAGE } from './fault-row.ts'
import { RELEASE_ONCE, RELEASE_REPEATEDLY, RETRY_RUN, WHEN_HOST_IS_BACK } from './reactions.ts'

const SLOW_MS = 5_000

// The tests use a deadline of 1.5 s instead of 30 s for REST requests and 60 s without data for Git
// requests.

export const SLOW_READ_ROWS: readonly FaultRow[] = [
  {
    id: 'slow-read',
    title: 'one Git request stalls for more than 60 s',
    reaction: RELEASE_ONCE,
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'delay', ms: SLOW_MS }),
    expect: { ...COMPLETES, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'slow-read-outage',
    title: 'for hours, every Git request stalls for more than 60 s',
    reaction: RELEASE_REPEATEDLY,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: '*', kind: 'delay', ms: SLOW_MS, times: FOREVER }),
    expect: failsWith('git_host_timeout', { waits: OUTAGE }),
  },
]

export const SLOW_PUSH_ROWS: readonly FaultRow[] = [
  {
    id: 'slow-push',
    title: 'a push takes more than 60 s and succeeds after the timeout',
    reaction: 'Releases the run, retries after 5 s and finds the branch. Pushes only once.',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'delay', ms: SLOW_MS }),
    expect: { ...COMPLETES, waits: OUTAGE.slice(0, 1) },
  },
]

export const SLOW_PULL_REQUEST_ROWS: readonly FaultRow[] = [
  {
    id: 'slow-look-up',
    title: 'one lookup takes more than 30 s',
    reaction: 'Retries the lookup.',
    arrange: ({ fault }) => fault({ op: 'pulls.list', kind: 'delay', ms: SLOW_MS }),
    expect: COMPLETES,
  },
  {
    id: 'slow-look-up-outage',
    title: 'for hours, every lookup takes more than 30 s',
    reaction: RETRY_RUN,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: 'repos.get', kind: 'delay', ms: SLOW_MS, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_timeout', { pushed: true, waits: OUTAGE.slice(3) }),
  },
  {
    id: 'slow-create',
    title: 'the create request takes more than 30 s and succeeds after the timeout',
    reaction: 'Searches for the pull request, then creates it. The host accepts only one.',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'delay', ms: SLOW_MS }),
    expect: COMPLETES,
  },
]
