import { type JobSource, toRepositoryAddress } from '@corrigenda/contracts'
import type { StoredSource } from '@corrigenda/core/projects'
import { describe, expect, test } from 'vitest'
import { selectSources } from './select-sources.ts'

const build = (name: string, path: string): StoredSource => ({
  ...{ name, repository: `https://github.com/${path}`, ref: null, paths: [], quotable: [] },
  ...{ visibility: null, cite: null, mayUseInstanceCredential: true },
})
const API = build('api', 'acme/API.server')
const WEB = build('web', 'acme/web')
const docs = toRepositoryAddress('https://github.com/acme/docs')

/** Returns what a prompt selects: the range of each source, and `*` if its changes are listed. */
function select(prompt: string, sources = [API], asked?: readonly JobSource[]) {
  return selectSources({ sources, docs, asked, prompt }).map(
    ({ name, asked: { isGuess: _, ...range }, listsChanges }) =>
      `${name}${listsChanges ? '*' : ''}${Object.entries(range)
        .map(([key, value]) => ` ${key}=${value}`)
        .join('')}`,
  )
}

describe('a prompt selects', () => {
  test.each<[prompt: string, expected: string]>([
    ['Update the documentation for our recent pushes to main: Repository: acme/api.server', 'api*'],
    [
      'See https://github.com/acme/api.server/compare/1a2b3c4d5e6f...0f9e8d7c6b5a.',
      'api* since=1a2b3c4d5e6f ref=0f9e8d7c6b5a',
    ],
    ['https://github.com/acme/API.server/compare/v1.0.0..release%2F2', 'api* since=v1.0.0 ref=release/2'],
    ['https://github.com/acme/api.server/compare/1a2b3c^...4d5e6f, please', 'api* since=1a2b3c^ ref=4d5e6f'],
    ['Document https://github.com/acme/api.server/pull/12/files', 'api* pullRequest=12'],
    ['Document (acme/api.server#12).', 'api* pullRequest=12'],
    ['Document pull request #12.', 'api* pullRequest=12'],
    ['Document PR 12 and PR #12', 'api* pullRequest=12'],
    ['Document #12', 'api* pullRequest=12'],
    ['Clone https://github.com/acme/api.server.git first', 'api*'],
    ['What did we merge last week?', 'api*'],
  ])('%s', (prompt, expected) => {
    expect(select(prompt)).toEqual([expected, 'docs'])
  })

  test('two pull requests as recent changes, because only one commit can be read', () => {
    expect(select('Document pull requests #12 and #13')).toEqual(['api*', 'docs'])
  })
  test('the repository that it names, also for a number', () => {
    expect(select('Document PR #3 of acme/web', [API, WEB])).toEqual(['api', 'web* pullRequest=3', 'docs'])
    expect(select('Document PR #3', [API, WEB])).toEqual(['api*', 'web*', 'docs'])
    expect(select('Document PR #3 of acme/web and acme/api.server', [API, WEB])).toEqual(['api*', 'web*', 'docs'])
  })
  test('the documentation repository', () => {
    expect(select('Summarize the latest commits', [])).toEqual(['docs*'])
    expect(select('Continue https://github.com/acme/docs/pull/4')).toEqual(['api', 'docs* pullRequest=4'])
    expect(select('Correct the page of acme/docs')).toEqual(['api', 'docs'])
    expect(select('Fix #4', [])).toEqual(['docs'])
  })
})

describe('a prompt does not select', () => {
  test.each([
    'Correct the typing error in guides/start.mdx.',
    'Document https://github.com/acme/other/pull/12',
    'Document https://evil.test/acme/api.server/compare/a...b',
    'Document http://github.com/acme/api.server/compare/a...b',
    'Document https://github.com/acme/api.servers/compare/a...b',
    'Document xacme/api.server/pages',
    'See https://docs.test/#12 and the color #123456',
  ])('%s', (prompt) => {
    expect(select(prompt)).toEqual(['api', 'docs'])
  })
  test('a source that the request leaves out', () => {
    const prompt = 'Document https://github.com/acme/web/pull/3'
    expect(select(prompt, [API, WEB], [{ name: 'api' }])).toEqual(['api', 'docs'])
    expect(select(prompt, [API, WEB], [])).toEqual(['docs'])
  })
  test('another range than the request', () => {
    const prompt = 'Document https://github.com/acme/api.server/pull/3'
    expect(select(prompt, [API], [{ name: 'api', since: 'v1' }])).toEqual(['api* since=v1', 'docs'])
    expect(select('x', [API], [{ name: 'docs', ref: 'next' }])).toEqual(['docs* ref=next'])
  })
})

test('a range of a prompt is a guess, and one of the request is not', () => {
  const isGuess = (prompt: string, asked?: readonly JobSource[]) =>
    selectSources({ sources: [API], docs, asked, prompt })[0]?.asked.isGuess
  expect([isGuess('PR #3'), isGuess('PR #3', [{ name: 'api', pullRequest: 4 }])]).toEqual([true, false])
})

test('a long prompt takes linear time', () => {
  const started = process.cpuUsage()
  for (const text of ['a', 'a/', 'acme/api.server/', '#1', 'pull request ', 'https://']) select(text.repeat(50_000))
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10)
})
