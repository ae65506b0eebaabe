import { expect, test } from 'vitest'
import { toPullRequestProblem } from './to-git-host-error.ts'

const REFUSED = 'Validation Failed'

test.each([
  ['already_exists', { errors: [{ message: 'A pull request already exists for acme:topic.' }] }, REFUSED],
  ['already_exists', { errors: ['plain', 7, { field: 'head' }, 'A pull request already exists'] }, REFUSED],
  ['already_exists', { errors: { message: 'A pull request already exists for acme:topic.' } }, REFUSED],
  ['already_exists', { errors: [{ code: 'custom' }] }, 'A pull request already exists for acme:topic.'],
  ['already_exists', {}, 'Validation Failed: "A pull request already exists for acme:topic."'],
  ['unknown_head', { errors: [{ field: 'head_sha' }, { message: 'No commits between main and topic' }] }, REFUSED],
  ['unknown_head', { errors: ['Head ref must be a branch'] }, REFUSED],
  ['unknown_base', { errors: [{ message: 'Base ref must be a branch' }] }, REFUSED],
  ['no_commits', { errors: [{ message: 'No commits between main and topic' }] }, REFUSED],
  ['unknown_head', { errors: [{ field: 'head', code: 'invalid' }] }, REFUSED],
  ['unknown_base', { errors: [{ field: 'base', code: 'invalid' }] }, REFUSED],
  ['no_drafts', {}, 'Draft pull requests are not supported in this repository.'],
  [null, { errors: [{ field: 'title', code: 'missing_field' }] }, REFUSED],
  [null, { errors: 'text' }, REFUSED],
  [null, '<html>', REFUSED],
  [null, null, REFUSED],
])('returns %s for %j', (problem, data, message) => {
  expect(toPullRequestProblem(data, message)).toBe(problem)
})
