import { expect, test } from 'vitest'
import { getBranch } from './get-branch.ts'
import type { GitHubClient } from './open-client.ts'

const SHA = 'a'.repeat(40)

/** A client of a server that returns this commit for every branch. */
const toClient = (commit: object): GitHubClient =>
  ({ name: { owner: 'acme', repo: 'docs' }, call: async () => ({ commit }) }) as unknown as GitHubClient

test('reads a branch of a server that returns only the SHA of its commit', async () => {
  expect(await getBranch(toClient({ sha: SHA }), { branch: 'main' })).toEqual({
    ...{ commit: SHA, message: '', parents: [], author: null, committer: null },
  })
})
