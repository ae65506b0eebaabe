import type { JobEventOf, JobEventType } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { buildSteps } from './build-steps.ts'

type EventInput =
  | { [Type in JobEventType]: [type: Type, data: JobEventOf<Type>['data']] }[JobEventType]
  | ['something.new', object]

/** Returns the events with times one second apart. */
const toEvents = (list: readonly EventInput[]) =>
  list.map(([type, data], index) => ({
    seq: index + 1,
    type,
    data: { ...data },
    createdAt: new Date(index * 1000).toISOString(),
  }))
const show = (list: readonly EventInput[]) =>
  buildSteps(toEvents(list)).map(({ title, startedAt, endedAt, attempt, actions, notes }) => {
    const seconds = endedAt === null ? 'on' : (Date.parse(endedAt) - Date.parse(startedAt)) / 1000
    return [title, seconds, attempt, actions.length, ...notes].join(' · ')
  })

const START: readonly EventInput[] = [
  ['job.created', {}],
  ['job.started', { attempt: 1 }],
  ['checkout.ready', { baseBranch: 'main', baseCommit: '9876543210' }],
  ['agent.said', { text: 'Hm.' }],
  ['tool.called', { tool: 'view', subject: 'a.md' }],
]

test('groups events into steps with their duration, actions and notes', () => {
  expect(
    show([
      ...START,
      ['phase.changed', { phase: 'checking' }],
      ['change.frozen', { commit: '0123456789' }],
      ['branch.pushed', { branch: 'corrigenda/x', commit: '0123456789' }],
      ['job.completed', { outcome: 'changed', prLink: 'https://example.com/pull/1' }],
      ['pull_request.updated', { state: 'open', draft: false, checks: 'passed' }],
      ['pull_request.updated', { state: 'merged', draft: false, checks: 'passed' }],
      ['deployment.finished', { statusId: 's', status: 'success', summary: 'Done.', url: null }],
    ]),
  ).toEqual([
    'Waiting for a worker · 1 ·  · 0',
    'Checking out the repository · 1 · 1 · 0',
    'Editing · 3 · 1 · 2',
    'Checking · 1 · 1 · 0',
    'Publishing · 2 · 1 · 0 · Commit 0123456. · Pushed to the branch.',
    'Completed · 0 ·  · 0',
    'Pull request checks passed · 0 ·  · 0',
    'Pull request merged · 0 ·  · 0',
    'Deployed · 0 ·  · 0 · Done.',
  ])
})

test('shows policy and instruction files as notes on the step in which they were read', () => {
  const read = (path: string, truncated: boolean): EventInput => [
    'instructions.read',
    { path, blob: '0123456789', bytes: 1, truncated },
  ]
  expect(
    show([
      ...START,
      ['policy.read', { path: '.corrigenda.yml', blob: 'fedcba9876' }],
      read('AGENTS.md', false),
      read('api/AGENTS.md', true),
    ]).at(-1),
  ).toBe(
    'Editing · on · 1 · 2 · Policy restricted by .corrigenda.yml in the repository (fedcba9). · Read instructions from AGENTS.md (0123456). · Read instructions from api/AGENTS.md (0123456, first part only).',
  )
})

test('a running step has no end, and a new attempt starts new steps', () => {
  expect(show(START).at(-1)).toBe('Editing · on · 1 · 2')
  expect(
    show([
      ...START,
      ['job.resumed', { attempt: 2 }],
      ['phase.changed', { phase: 'editing' }],
      ['tool.called', { tool: 'edit', subject: 'a.md' }],
    ]),
  ).toEqual([
    'Waiting for a worker · 1 ·  · 0',
    'Checking out the repository · 1 · 1 · 0',
    'Editing · 3 · 1 · 2',
    'Checking out the repository · 1 · 2 · 0',
    'Editing · on · 2 · 1',
  ])
})

test('a released job returns to the queue and shows the reason', () => {
  expect(show([...START, ['job.released', { reason: 'shutdown', notBefore: null }]]).at(-1)).toBe(
    'Waiting for a worker · on ·  · 0 · The worker shut down and released the job.',
  )
})

test('shows follow-ups during and after a run, questions, cancellations and unknown events', () => {
  const followUps = show([
    ...START,
    ['message.received', { messageId: 'm' }],
    ['message.delivered', { messageId: 'm' }],
    ['tool.called', { tool: 'edit', subject: 'a.md' }],
    ['job.completed', { outcome: 'needs_input', prLink: null }],
    ['message.received', { messageId: 'n' }],
    ['job.continued', { messages: 1 }],
    ['job.started', { attempt: 1 }],
    ['something.new', {}],
    ['job.failed', { outcome: 'cancelled', code: 'cancelled' }],
  ])
  expect(followUps.slice(2)).toEqual([
    'Editing · 6 · 1 · 3',
    'Follow-up received · 0 ·  · 0',
    'Follow-up delivered · 0 ·  · 0',
    'Asked a question · 0 ·  · 0',
    'Follow-up received · 0 ·  · 0',
    'Waiting for a worker · 1 ·  · 0',
    'Checking out the repository · 2 · 1 · 0',
    'something.new · 0 ·  · 0',
    'Cancelled · 0 ·  · 0',
  ])
  expect(show([...START, ['job.failed', { outcome: 'failed', code: 'budget_turns' }]]).at(-1)).toBe(
    'Failed · 0 ·  · 0 · budget_turns',
  )
})

test('shows the target of a move', () => {
  const steps = buildSteps(toEvents([...START, ['tool.called', { tool: 'move', subject: 'a.md', target: 'b/a.md' }]]))
  expect(steps.at(-1)?.actions.at(-1)).toEqual({ seq: 6, tool: 'move', text: 'a.md → b/a.md' })
})

test('a lost worker is named at the step that it interrupted', () => {
  const steps = show([...START, ['job.resumed', { attempt: 2, silentMs: 19_400 }]])
  expect(steps).toEqual([
    'Waiting for a worker · 1 ·  · 0',
    'Checking out the repository · 1 · 1 · 0',
    'Editing · 3 · 1 · 2 · Worker lost; continued by another after 19 s.',
    'Checking out the repository · on · 2 · 0',
  ])
})
