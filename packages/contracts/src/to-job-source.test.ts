import { expect, test } from 'vitest'
import { toJobSource } from './to-job-source.ts'

test.each([
  ['api', { name: 'api' }],
  [' api@main ', { name: 'api', ref: 'main' }],
  ['api@feature#1', { name: 'api', ref: 'feature#1' }],
  ['api@user@next', { name: 'api', ref: 'user@next' }],
  ['api@v1.2..main', { name: 'api', since: 'v1.2', ref: 'main' }],
  ['api@v1.2...main', { name: 'api', since: 'v1.2', ref: 'main' }],
  ['api@2026-11-01..', { name: 'api', since: '2026-11-01' }],
  ['api@2026-11-01T08:00:00Z..', { name: 'api', since: '2026-11-01T08:00:00Z' }],
  ['docs@last-job..', { name: 'docs', since: 'last-job' }],
  ['api#42', { name: 'api', pullRequest: 42 }],
])('parses %j', (text, source) => {
  expect(toJobSource(text)).toEqual(source)
})

test.each([
  ['', /must have the form NAME/],
  ['api@', /must have the form NAME/],
  ['api#', /must have the form NAME/],
  ['#3', /must have the form NAME/],
  ['api#0', /pullRequest/],
  ['API', /name must consist of/],
  ['api@-x', /ref must be a branch/],
  ['api@..main', /must be a branch/],
  ['api@a b..', /since must be a commit, a tag, a branch, a date such as/],
  ['api@2026-13-01T08:00:00Z..', /since must be/],
  ['api@2026-11-01T08:00:00Z', /ref must be/],
  ['api@a b', /ref must be a branch/],
])('rejects %j', (text, problem) => {
  expect(() => toJobSource(text)).toThrow(problem)
})
