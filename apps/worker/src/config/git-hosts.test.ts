import { toRepositoryAddress } from '@corrigenda/contracts'
import { openLog } from '@corrigenda/core/runtime'
import { describe, expect, test } from 'vitest'
import { buildGitAccess } from './build-git-hosts.ts'
import { listSecrets, loadWorkerConfig } from './config.ts'

const BASE = {
  DATABASE_URL: 'postgresql://localhost/none',
  CORRIGENDA_SECRET: 'a-secret-for-the-tests-of-git-hosts-0123456789',
  ANTHROPIC_API_KEY: 'sk-ant-x',
  GITHUB_TOKEN: 'ghp_github',
}
const HOSTS = 'GitLab.Example.com=gitlab, codeberg.org=forgejo,example.com/git/=gitea'

const load = (env: Record<string, string>) => loadWorkerConfig({ ...BASE, ...env })

const getToken = (env: Record<string, string>, url: string) => {
  const config = load(env)
  const log = openLog({ level: 'silent', secrets: [] })
  // Without a project, no row is read.
  const { credentials } = buildGitAccess(config, { prisma: undefined as never, log })
  const repository = toRepositoryAddress(url, config.allowedRepositoryHosts)
  return credentials.getToken({ repository, access: 'read', signal: new AbortController().signal })
}

describe('GIT_HOSTS', () => {
  test('declares kinds and paths, and allows the hosts', () => {
    expect(load({ GIT_HOSTS: HOSTS }).allowedRepositoryHosts).toEqual([
      { host: 'gitlab.example.com', kind: 'gitlab', basePath: '' },
      { host: 'codeberg.org', kind: 'forgejo', basePath: '' },
      { host: 'example.com', kind: 'gitea', basePath: '/git' },
      'github.com',
    ])
    const both = load({ GIT_HOSTS: 'git.test=gitlab', ALLOWED_REPOSITORY_HOSTS: 'git.test,github.com' })
    expect(both.allowedRepositoryHosts).toEqual([{ host: 'git.test', kind: 'gitlab', basePath: '' }, 'github.com'])
  })

  test.each(['gitlab.com', 'gitlab.com=svn', '=gitlab', 'https://gitlab.com=gitlab', 'a b=gitlab'])(
    'rejects %s',
    (text) => {
      expect(() => load({ GIT_HOSTS: text })).toThrow('GIT_HOSTS: must be host=kind values')
    },
  )
})

describe('the tokens of the environment', () => {
  const env = { GIT_HOSTS: HOSTS, GIT_HOST_TOKENS: 'gitlab.example.com=glpat-a=b' }

  test('are sent to their host only', async () => {
    expect(await getToken(env, 'https://gitlab.example.com/group/sub/docs')).toBe('glpat-a=b')
    expect(await getToken(env, 'https://github.com/acme/docs')).toBe('ghp_github')
    const missing = { code: 'credential_missing' }
    await expect(getToken(env, 'https://codeberg.org/acme/docs')).rejects.toMatchObject(missing)
    await expect(getToken({ GIT_HOSTS: HOSTS }, 'https://example.com/git/acme/docs')).rejects.toMatchObject(missing)
  })

  test('are secrets', () => {
    expect(listSecrets(load(env))).toContain('glpat-a=b')
    expect(() => load({ ...env, GIT_HOST_TOKENS: 'glpat-secret' })).toThrow(/^(?!.*glpat)/s)
  })
})
