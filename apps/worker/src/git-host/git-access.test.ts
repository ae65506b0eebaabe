import { toRepositoryAddress } from '@corrigenda/contracts'
import { GitHttpError } from '@corrigenda/git/http'
import { expect, test } from 'vitest'
import type { Credentials } from './credentials.ts'
import { withToken } from './git-access.ts'
import { GitHostError } from './git-host-error.ts'

const input = {
  repository: toRepositoryAddress('https://github.com/acme/docs'),
  access: 'publish' as const,
  signal: new AbortController().signal,
}

/** Returns these tokens in order, then repeats the last one. Records the rejected tokens. */
function handOut(...tokens: string[]) {
  const refused: (string | undefined)[] = []
  const credentials: Credentials = {
    getToken: async (asked) => {
      refused.push(asked.refused)
      return tokens[Math.min(refused.length, tokens.length) - 1] ?? ''
    },
    findIdentity: async () => null,
    findPermissions: async () => null,
    forProject: () => credentials,
    forSource: () => credentials,
  }
  return { credentials, refused }
}

test.each([new GitHttpError('unauthorized', 'x'), new GitHostError('unauthorized', 'x')])(
  'replaces a rejected token once',
  async (error) => {
    const { credentials, refused } = handOut('old', 'new', 'newer')
    const seen: string[] = []
    const work = withToken(credentials, input, async (token) => {
      seen.push(token)
      if (token === 'old') throw error
      return `done with ${token}`
    })
    await expect(work).resolves.toBe('done with new')
    expect(seen).toEqual(['old', 'new'])
    expect(refused).toEqual([undefined, 'old'])
  },
)

test('fails when the host also rejects the new token', async () => {
  const { credentials, refused } = handOut('old', 'new', 'newer')
  const error = new GitHostError('unauthorized', 'x')
  await expect(withToken(credentials, input, () => Promise.reject(error))).rejects.toBe(error)
  expect(refused).toHaveLength(2)
})

test('does not retry when the token cannot be replaced or after other errors', async () => {
  const { credentials } = handOut('personal')
  let calls = 0
  const unauthorized = new GitHttpError('unauthorized', 'x')
  const count = (error: Error) => () => {
    calls += 1
    return Promise.reject(error)
  }
  await expect(withToken(credentials, input, count(unauthorized))).rejects.toBe(unauthorized)
  const forbidden = new GitHttpError('forbidden', 'x')
  await expect(withToken(credentials, input, count(forbidden))).rejects.toBe(forbidden)
  expect(calls).toBe(2)
})
