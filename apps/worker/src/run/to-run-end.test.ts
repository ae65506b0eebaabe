import { GitHttpError } from '@corrigenda/git/http'
import { RepositoryError } from '@corrigenda/git/objects'
import { describe, expect, test } from 'vitest'
import { CredentialsError } from '../git-host/credentials.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { toRunEnd } from './to-run-end.ts'

describe('the result of an external error', () => {
  test.each([
    ['an outage is retried later', new GitHttpError('server_error', 'x'), 'later', 'git_host_server_error'],
    ["a proxy's error page is retried later", new GitHttpError('protocol', 'x'), 'later', 'git_host_protocol'],
    ['an expired local deadline is retried later', new GitHostError('aborted', 'x'), 'later', 'git_host_timeout'],
    ['a corrupt pack is retried later', new RepositoryError('corrupt_pack', 'x'), 'later', 'repository_corrupt_pack'],
    ['a full disk is retried later', new RepositoryError('build_failed', 'x'), 'later', 'repository_build_failed'],
    [
      'a missing branch fails the job',
      new RepositoryError('branch_not_found', 'x'),
      'failed',
      'repository_branch_not_found',
    ],
    ['a rejected token fails the job', new GitHostError('unauthorized', 'x'), 'failed', 'git_host_unauthorized'],
    [
      'a missing installation fails the job',
      new CredentialsError('installation_missing', 'x'),
      'failed',
      'github_installation_missing',
    ],
    [
      'a git request rejected because the repository is archived fails the job',
      new GitHttpError('forbidden', 'It was archived.'),
      'failed',
      'git_host_archived',
    ],
    [
      'any other rejected git request fails the job',
      new GitHttpError('forbidden', 'No.'),
      'failed',
      'git_host_forbidden',
    ],
  ])('%s', (_, error, kind, code) => {
    expect(toRunEnd(error)).toMatchObject({ kind, code, message: error.message })
  })

  test('a wait requested by the host is preserved', () => {
    expect(toRunEnd(new GitHttpError('server_error', 'x', { retryAfterMs: 90_000 }))).toMatchObject({ afterMs: 90_000 })
    expect(toRunEnd(new GitHostError('network', 'x'))).toMatchObject({ afterMs: null })
  })

  test('any other error is not mapped', () => {
    expect(toRunEnd(new TypeError('x'))).toBeNull()
  })
})
