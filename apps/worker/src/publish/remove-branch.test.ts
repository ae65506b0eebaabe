import { openLog } from '@corrigenda/core/runtime'
import { expect, test } from 'vitest'
import type { Credentials } from '../git-host/credentials.ts'
import { tryRemoveBranch } from './remove-branch.ts'

const claim = { runId: 'run_1', jobId: 'job_1', repositoryUrl: 'https://github.com/acme/docs' }
const branch = { branch: 'corrigenda/job_1', commit: '0'.repeat(40) }

function remove(signal: AbortSignal) {
  const fail = async (): Promise<never> => {
    signal.throwIfAborted()
    throw new Error('The host does not respond.')
  }
  const credentials: Credentials = {
    getToken: fail,
    findIdentity: async () => null,
    findPermissions: fail,
    forProject: () => credentials,
    forSource: () => credentials,
  }
  const deps = { prisma: {}, log: openLog({ level: 'silent', secrets: [] }), credentials, gitHttp: {} }
  return tryRemoveBranch(
    deps as unknown as Parameters<typeof tryRemoveBranch>[0],
    claim as Parameters<typeof tryRemoveBranch>[1],
    branch,
    signal,
  )
}

test('returns false if the host fails, and throws the abort reason if the lease is lost', async () => {
  expect(await remove(new AbortController().signal)).toBe(false)
  await expect(remove(AbortSignal.abort(new Error('lease lost')))).rejects.toThrow('lease lost')
})
