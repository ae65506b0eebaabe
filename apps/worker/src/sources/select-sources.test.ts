import { type JobSource, toRepositoryAddress } from '@corrigenda/contracts'
import type { StoredSource } from '@corrigenda/core/projects'
import { describe, expect, test } from 'vitest'
import { selectSources } from './select-sources.ts'

const build = (name: string, path: string): StoredSource => ({
  name,
  repository: `https://github.com/${path}`,
  ref: null,
  paths: [],
  quotable: [],
  visibility: null,
  cite: null,
  mayUseInstanceCredential: true,
})
const API = build('api', 'acme/API.server')
const WEB = build('web', 'acme/web')
const docs = toRepositoryAddress('https://github.com/acme/docs')

/** Returns what a prompt selects: the range of each source, and `*` if its changes are listed. */
function select(
  prompt: string,
  sources = [API],
  asked?: readonly JobSource[],
  earlier?: { prompts: readonly string[]; isPublished: boolean },
) {
  return selectSources({ sources, docs, asked, prompt, earlier }).map(
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
    ['Clone https://github.com/acme/api.server.git.', 'api*'],
    ['Clone git@github.com:acme/api.server.git, please', 'api*'],
    ['Clone ssh://git@github.com/acme/api.server.git', 'api*'],
    ['See github.com/acme/api.server/pull/12.', 'api* pullRequest=12'],
    ['See github.com/acme/api.server/compare/v1...v2', 'api* since=v1 ref=v2'],
    ['See https://www.github.com/acme/api.server/pull/12', 'api* pullRequest=12'],
    ['Document pull request 12 in guides/api.mdx and docs/cli', 'api* pullRequest=12'],
    ['Document pull request no. 12 of our API', 'api* pullRequest=12'],
    ['Document the flag of #12, see https://docs.test/guides/api', 'api* pullRequest=12'],
    ['Document PR 12 and 3 new flags', 'api* pullRequest=12'],
    ['Document PR 12 within 2 hours', 'api* pullRequest=12'],
    ['PR #12 (step 3 of our #1 task)', 'api* pullRequest=12'],
    ['Document acme/api.server#12, which closes #9', 'api* pullRequest=12'],
    ['Document merge request 12', 'api* pullRequest=12'],
    ['What did we merge last week?', 'api*'],
  ])('%s', (prompt, expected) => {
    expect(select(prompt)).toEqual([expected, 'docs'])
  })

  test.each([
    'https://example.com/git/group/sub/api/-/merge_requests/12',
    'Document !12 of group/sub/api: git/group/sub/api!12',
    'https://example.com/git/group/sub/api/-/compare/v1...v2',
    'https://example.com/git/group/sub/api.',
  ])('a source in nested groups of a host below its root: %s', (prompt) => {
    const hosts = [{ host: 'example.com', kind: 'gitlab', basePath: '/git' }] as const
    const sources = [{ ...API, repository: 'https://example.com/git/group/sub/api' }]
    const [found] = selectSources({ sources, docs, hosts, asked: undefined, prompt })
    const { pullRequest, since } = found?.asked ?? {}
    expect([found?.listsChanges, pullRequest, since]).toEqual([
      true,
      prompt.includes('12') ? 12 : undefined,
      prompt.includes('v1') ? 'v1' : undefined,
    ])
  })

  test.each([
    'Document pull requests #12 and #13',
    'Document PRs 12 and 13',
    'Document PRs 12, 13 and 14.',
    'PR 12 and 13',
    'PRs 12-15',
    'Document PR 12 and PR 13',
    'PRs 12 and 13 change the flags',
    'acme/api.server#12 and PR #13',
    'https://github.com/acme/api.server/pull/12 and github.com/acme/api.server/pull/13',
  ])('two pull requests as recent changes, because only one commit can be read: %s', (prompt) => {
    expect(select(prompt)).toEqual(['api*', 'docs'])
  })
  test('all sources of a repository', () => {
    const sources = [build('api', 'acme/product'), build('cli', 'acme/product')]
    const both = ['api* pullRequest=12', 'cli* pullRequest=12', 'docs']
    for (const prompt of ['Document acme/product#12', 'PR #12']) expect(select(prompt, sources)).toEqual(both)
    expect(select('Document PR #12 of acme/product', [...sources, WEB])).toEqual([...both.slice(0, 2), 'web', 'docs'])
    // The documentation is in the repository of the code.
    expect(select('Document acme/docs#12', [build('code', 'acme/docs')])).toEqual(['code* pullRequest=12', 'docs'])
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
    'Correct step #2 and option #3',
    'Make this our #1 choice',
    'See issues #12 and #13',
    'Issue: #12',
    'The color is color #123',
    'Describe the #1 reason',
    'Write the page that fixes #12',
    'Clone git@gitlab.com:acme/api.server.git',
    'See gitlab.com/acme/api.server/pull/12',
    'See https://gitlab.com/acme/api.server/-/merge_requests/12',
  ])('%s', (prompt) => {
    expect(select(prompt)).toEqual(['api', 'docs'])
  })
  test.each([
    'Document PR #12 of acme/other',
    'Document PR 12 of the repository else/where',
    'PR 9, see acme/other#3',
    'https://github.com/acme/other/issues/9 and PR 9',
    'https://gitlab.com/a/b/-/merge_requests/9 and PR 9',
    'Port https://github.com/acme/other to PR 9',
    'Wait for the PR 5 hours',
    'PR 2.0',
    'PR 5% done',
    'PR 1 of 3',
  ])('a pull request by a number of something else: %s', (prompt) => {
    expect(select(prompt)).toEqual(['api*', 'docs'])
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

describe('a follow-up', () => {
  const prompts = ['Document PR #3 of acme/web', 'Document acme/web#4', 'Shorten the introduction.']
  const follow = (prompt: string, isPublished = true, asked?: readonly JobSource[]) =>
    select(prompt, [API, WEB], asked, { prompts, isPublished })

  test('reads what the newest earlier prompt with a selection selects, without a list of the changes', () => {
    expect(follow('State the default of the new flag.')).toEqual(['api', 'web pullRequest=4', 'docs'])
    // Before anything is published, it is still about the changes.
    expect(follow('On the first page.', false)).toEqual(['api', 'web* pullRequest=4', 'docs'])
    const recent = { prompts: ['Document the recent changes'], isPublished: false }
    expect(select('Page a.mdx', [API], undefined, recent)).toEqual(['api*', 'docs'])
    expect(select('Page a.mdx', [API], undefined, { ...recent, isPublished: true })).toEqual(['api', 'docs'])
  })
  test('reads what its own prompt or the request selects', () => {
    expect(follow('Also PR #5 of acme/web')).toEqual(['api', 'web* pullRequest=5', 'docs'])
    expect(follow('Also acme/web')).toEqual(['api', 'web*', 'docs'])
    expect(follow('Also acme/api.server#7')).toEqual(['api* pullRequest=7', 'web pullRequest=4', 'docs'])
    expect(follow('More.', true, [{ name: 'web', ref: 'next' }])).toEqual(['web* ref=next', 'docs'])
  })
})

test('a range of a prompt is a guess, and one of the request is not', () => {
  const isGuess = (prompt: string, asked?: readonly JobSource[]) =>
    selectSources({ sources: [API], docs, asked, prompt })[0]?.asked.isGuess
  expect([isGuess('PR #3'), isGuess('PR #3', [{ name: 'api', pullRequest: 4 }])]).toEqual([true, false])
})

test('a long prompt takes linear time', () => {
  const started = process.cpuUsage()
  const texts = ['a', 'a/', 'acme/api.server/', '#1', 'pull request ', 'https://', 'PRs 1', ', 1', 'PR 1 and 1', 'a@a.']
  for (const text of [...texts, 'issues #1 and ', 'github.com/', '12 of ', '1-']) select(text.repeat(50_000))
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10)
})
