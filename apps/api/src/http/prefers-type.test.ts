import { expect, test } from 'vitest'
import { prefersType } from './prefers-type.ts'

const TYPE = 'text/event-stream'

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0.5', true],
  ['text/event-stream;q=x', false],
  ['text/event-stream, application/json', true],
  ['application/json, text/event-stream', false],
  ['application/json;q=0.5, text/event-stream', true],
  ['text/event-stream;q=0.1, application/json;q=0.2', false],
  ['text/event-stream;q=0, application/json;q=0', false],
  ['text/event-streams', false],
])('"Accept: %s" prefers an event stream to JSON: %s', (accept, expected) => {
  expect(prefersType(accept, TYPE)).toBe(expected)
})
