import { expect, test } from 'vitest'
import { toPullRequest } from './to-pull-request.ts'

const PULL = {
  number: 7,
  html_url: 'https://github.com/acme/docs/pull/7',
  state: 'closed',
  merged_at: '2026-01-01T00:00:00Z',
  body: null,
  base: { repo: { full_name: 'acme/docs' } },
  head: { ref: 'topic', sha: 'a'.repeat(40), repo: { full_name: 'Acme/Docs' } },
  user: null,
  labels: [],
  requested_teams: [{}],
}

test("maps GitHub's response", () => {
  expect(toPullRequest('topic', PULL)).toEqual({
    number: 7,
    url: PULL.html_url,
    state: 'merged',
    draft: false,
    headSha: PULL.head.sha,
    body: '',
    author: null,
    hasLabels: false,
    hasReviewers: true,
  })
})

test('returns null for a pull request from a different branch or a fork', () => {
  expect(toPullRequest('other', PULL)).toBeNull()
  const fork = { ...PULL, head: { ...PULL.head, repo: { full_name: 'mallory/docs' } } }
  expect(toPullRequest('topic', fork)).toBeNull()
  // The fork's repository or the branch was deleted. Only the branch name remains.
  expect(toPullRequest('topic', { ...PULL, head: { ...PULL.head, repo: null } })).not.toBeNull()
})

test.each(['<html>', null, {}, { ...PULL, number: 0 }])('rejects the response %j', (response) => {
  expect(() => toPullRequest('topic', response)).toThrow('GITHUB_API_URL')
})
