import { type FaultRow, FOREVER, failsWith, OUTAGE, RECOVERED } from './fault-row.ts'

const SLOW_MS = 5_000

/**
 * Rows with deadlines of a fraction of a second instead of 30 s (REST) and 60 s of silence (git).
 */
export const SLOW_ROWS: readonly FaultRow[] = [
  {
    id: 'slow-read',
    title: 'git says nothing for longer than 60 s',
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'delay', ms: SLOW_MS }),
    expect: { ...RECOVERED, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'slow-read-outage',
    title: 'the same, for hours',
    arrange: ({ fault }) => fault({ op: '*', kind: 'delay', ms: SLOW_MS, times: FOREVER }),
    expect: failsWith('git_host_timeout', { waits: OUTAGE }),
  },
  {
    id: 'slow-push',
    title: 'a push takes longer than 60 s, and happens after we gave up',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'delay', ms: SLOW_MS }),
    expect: { ...RECOVERED, waits: OUTAGE.slice(0, 1) },
  },
  {
    id: 'slow-look-up',
    title: 'a look-up takes longer than 30 s, once',
    arrange: ({ fault }) => fault({ op: 'pulls.list', kind: 'delay', ms: SLOW_MS }),
    expect: RECOVERED,
  },
  {
    id: 'slow-look-up-outage',
    title: 'look-ups take longer than 30 s, for hours',
    arrange: ({ fault }) => fault({ op: 'repos.get', kind: 'delay', ms: SLOW_MS, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_timeout', { pushed: true, waits: OUTAGE.slice(3) }),
  },
  {
    id: 'slow-create',
    title: 'the creation takes longer than 30 s, and happens after we gave up',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'delay', ms: SLOW_MS }),
    expect: RECOVERED,
  },
]
