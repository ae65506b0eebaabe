import { expect, test } from 'vitest'
import { findJobEvent, JOB_EVENT_TYPES, JobEvent, type NewJobEvent } from './job-event.ts'

const position = { seq: 1, createdAt: '2026-01-31T12:00:00.000Z' }

test('parses events of known types, and returns null for unknown types or invalid data', () => {
  const event = { ...position, type: 'tool.called', data: { tool: 'move', subject: 'a.md', target: 'b.md' } }
  expect(findJobEvent(event)).toEqual(event)
  expect(findJobEvent({ ...event, data: { tool: 'move' } })).toBeNull()
  expect(findJobEvent({ ...event, type: 'tool.returned' })).toBeNull()
})

test('every type has a description for the API reference', () => {
  expect(Object.keys(JOB_EVENT_TYPES)).toHaveLength(JobEvent.options.length)
  for (const [type, meaning] of Object.entries(JOB_EVENT_TYPES)) expect(meaning, type).not.toBe('')
})

test('an event with data for a different type does not compile', () => {
  // @ts-expect-error: job.started requires an attempt
  const wrong: NewJobEvent = { type: 'job.started', data: { commit: 'x' } }
  // @ts-expect-error: this type does not exist
  const unknown: NewJobEvent = { type: 'job.begun', data: {} }
  for (const event of [wrong, unknown]) expect(findJobEvent({ ...position, ...event })).toBeNull()
})
