import { COMPLETES, type FaultRow, FOREVER, failsWith, OUTAGE } from './fault-row.ts'
import { RELEASE_ONCE, RELEASE_REPEATEDLY, RETRY_RUN, WHEN_HOST_IS_BACK } from './reactions.ts'

const SLOW_MS = 5_000

// The tests use deadlines of a fraction of a second instead of 30 s (REST) and 60 s of silence (git).

export const SLOW_READ_ROWS: readonly FaultRow[] = [
  {
    id: 'slow-read',
    title: 'git sends no data for more than 60 s',
    reaction: RELEASE_ONCE,
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'delay', ms: SLOW_MS }),
    expect: { ...COMPLETES, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'slow-read-outage',
    title: 'git stalls for more than 60 s every time, for hours',
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
    title: 'a lookup takes more than 30 s once',
    reaction: 'Retries the lookup.',
    arrange: ({ fault }) => fault({ op: 'pulls.list', kind: 'delay', ms: SLOW_MS }),
    expect: COMPLETES,
  },
  {
    id: 'slow-look-up-outage',
    title: 'every lookup takes more than 30 s for hours',
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
