import { DATABASE_LIMITS } from '@corrigenda/core/internal/db/open-database'
import { QUEUE_LOCK_MS } from '@corrigenda/core/internal/queue/queue'
import { ConfigError } from '@corrigenda/core/runtime'
import { expect, test } from 'vitest'
import { listSecrets, loadWorkerConfig } from './config.ts'

const good = {
  DATABASE_URL: 'postgresql://u:database-password@h/db',
  CORRIGENDA_SECRET: 's'.repeat(32),
  ANTHROPIC_API_KEY: 'sk-ant-test',
  GITHUB_TOKEN: 'ghp_test',
}

test('has defaults for all optional settings', () => {
  expect(loadWorkerConfig(good)).toMatchObject({
    redis: null,
    concurrency: 4,
    leaseSeconds: 10,
    sweepSeconds: 1,
    maxAttempts: 10,
    allowedRepositoryHosts: ['github.com'],
    github: { source: { kind: 'token', token: 'ghp_test' }, apiUrl: null },
    budgets: { maxTurns: 40, maxCostUsd: 2, maxSeconds: 1200 },
    healthPort: null,
    metricsPort: null,
    metricsProjectLabel: false,
    repositoryLimits: { maxBytes: 256 * 1024 * 1024, maxEntries: 100_000 },
  })
  expect(loadWorkerConfig({ ...good, MAX_REPOSITORY_MB: '512', MAX_REPOSITORY_FILES: '250000' })).toMatchObject({
    repositoryLimits: { maxBytes: 512 * 1024 * 1024, maxEntries: 250_000 },
  })
})

test('releases the database and queue locks of a suspended worker before its lease expires', () => {
  const leaseMs = loadWorkerConfig(good).leaseSeconds * 1000
  for (const limitMs of [QUEUE_LOCK_MS, ...Object.values(DATABASE_LIMITS)]) expect(limitMs).toBeLessThan(leaseMs)
})

test('reports all invalid settings in one error', () => {
  const error = (() => {
    try {
      return loadWorkerConfig({
        WORKER_CONCURRENCY: 'many',
        ALLOWED_REPOSITORY_HOSTS: 'https://x',
        GITHUB_APP_ID: '1',
        PUBLIC_URL: 'x',
      })
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(ConfigError)
  for (const name of [
    'DATABASE_URL',
    'CORRIGENDA_SECRET',
    'ANTHROPIC_API_KEY',
    'GITHUB_TOKEN',
    'WORKER_CONCURRENCY',
    'ALLOWED_REPOSITORY_HOSTS',
    'PUBLIC_URL',
  ]) {
    expect(String(error)).toContain(name)
  }
})

test('accepts a missing credential and requires both the ID and the key of a GitHub App', () => {
  const { GITHUB_TOKEN: _, ...none } = good
  expect(loadWorkerConfig(none).github.source).toBeNull()
  expect(() => loadWorkerConfig({ ...none, GITHUB_APP_ID: '1' })).toThrow(/needs both/)
  expect(loadWorkerConfig({ ...none, GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: 'k' }).github.source).toEqual({
    kind: 'app',
    appId: '1',
    privateKey: 'k',
  })
})

test('binds the token to GITHUB_TOKEN_HOST', () => {
  const { source } = loadWorkerConfig({ ...good, GITHUB_TOKEN_HOST: 'Git.example.com:8443' }).github
  expect(source).toEqual({ kind: 'token', token: 'ghp_test', host: 'git.example.com:8443' })
  for (const wrong of ['a.example,b.example', 'https://a.example'])
    expect(() => loadWorkerConfig({ ...good, GITHUB_TOKEN_HOST: wrong })).toThrow(/GITHUB_TOKEN_HOST/)
})

test('binds the credential and the API URL to one host if several hosts are allowed', () => {
  const load = (settings: Record<string, string>) => loadWorkerConfig({ ...good, ...settings }).github
  const enterprise = { GITHUB_API_URL: 'https://git.example.com/api/v3' }
  const several = { ALLOWED_REPOSITORY_HOSTS: 'github.com,git.example.com' }
  expect(load({ ...enterprise, ...several })).toMatchObject({
    source: { host: 'git.example.com' },
    apiUrlHost: 'git.example.com',
  })
  expect(load(several)).toMatchObject({ source: { host: 'github.com' }, apiUrlHost: null })
  expect(load({ ...several, GITHUB_API_URL: 'https://api.github.com' }).apiUrlHost).toBe('github.com')
  expect(load({ ...enterprise, ALLOWED_REPOSITORY_HOSTS: 'git.internal' }).apiUrlHost).toBeNull()
  expect(() => load({ ...several, GITHUB_API_URL: 'https://proxy.internal' })).toThrow(/GITHUB_API_URL: must be on one/)
  const { GITHUB_TOKEN: _, ...none } = good
  const app = { GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: 'k' }
  expect(loadWorkerConfig({ ...none, ...app, ...several }).github.source).toMatchObject({ host: 'github.com' })
})

test('uses DATABASE_URL for sessions unless DATABASE_DIRECT_URL is set, and redacts both', () => {
  expect(loadWorkerConfig(good).databaseDirectUrl).toBe(good.DATABASE_URL)
  const config = loadWorkerConfig({ ...good, DATABASE_DIRECT_URL: 'postgresql://u:direct-password1@h2/db' })
  expect(config).toMatchObject({
    databaseUrl: good.DATABASE_URL,
    databaseDirectUrl: 'postgresql://u:direct-password1@h2/db',
  })
  expect(listSecrets(config)).toEqual(
    expect.arrayContaining([config.databaseUrl, config.databaseDirectUrl, 'direct-password1']),
  )
})

test('lists every secret for redaction', () => {
  const secrets = listSecrets(loadWorkerConfig({ ...good, REDIS_URL: 'redis://:redis-password@h' }))
  expect(secrets).toEqual([
    good.CORRIGENDA_SECRET,
    good.DATABASE_URL,
    'redis://:redis-password@h',
    good.ANTHROPIC_API_KEY,
    good.GITHUB_TOKEN,
  ])
})

test('lists the credentials of the proxy and of the receiver of traces', () => {
  const config = loadWorkerConfig({
    ...good,
    HTTPS_PROXY: 'http://docs:a%20password@proxy:3128',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token-1',
  })
  const encoded = Buffer.from('docs:a password').toString('base64')
  expect(listSecrets(config)).toEqual(expect.arrayContaining(['a password', encoded, 'Bearer token-1']))
})

test.each([
  ['word-1', 'must be a URL'],
  ['http://docs:word-1@proxy:99999', 'must be a URL'],
  ['socks://docs:word-1@proxy', 'must be a URL'],
  ['http://docs:word-1@proxy/path', 'must have no path'],
  ['http://docs:word-1%@proxy:3128', 'must have percent-encoded credentials'],
])('rejects the proxy %s, without its value', (HTTPS_PROXY, problem) => {
  const load = () => loadWorkerConfig({ ...good, HTTPS_PROXY })
  expect(load).toThrow(`\n  HTTPS_PROXY: ${problem}`)
  expect(load).not.toThrow(/word-1/)
})

test('metrics are off by default', () => {
  expect(loadWorkerConfig(good)).toMatchObject({ metricsPort: null, metricsProjectLabel: false })
  expect(loadWorkerConfig({ ...good, METRICS_PORT: '9464', METRICS_PROJECT_LABEL: 'true' })).toMatchObject({
    metricsPort: 9464,
    metricsProjectLabel: true,
  })
})

test('reads sentinels, whose password is a secret', () => {
  const sentinels = { REDIS_SENTINELS: 's1,s2', REDIS_SENTINEL_PASSWORD: 'sentinel-password' }
  const config = loadWorkerConfig({ ...good, ...sentinels, REDIS_URL: 'redis://m' })
  expect(config.redis?.sentinels?.hosts).toEqual(['s1', 's2'])
  expect(listSecrets(config)).toContain('sentinel-password')
  expect(() => loadWorkerConfig({ ...good, ...sentinels })).toThrow(/REDIS_URL: is required together with/)
})

test('rejects unsupported database and queue URLs without revealing the URLs', () => {
  const wrong = { DATABASE_URL: 'mysql://u:database-password@h/db', REDIS_URL: 'http://:redis-password@h' }
  expect(() => loadWorkerConfig({ ...good, ...wrong })).toThrow(
    /^The configuration is invalid:\n {2}DATABASE_URL: must be a PostgreSQL .*\n {2}REDIS_URL: must be a URL such as redis:.*$/,
  )
  expect(loadWorkerConfig({ ...good, DATABASE_URL: 'postgres://h/db', REDIS_URL: 'rediss://h' })).toMatchObject({
    redis: { url: 'rediss://h' },
  })
})
