import { ConfigError } from '@corrigenda/core/runtime'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { loadApiConfig } from './config.ts'

const good = { DATABASE_URL: 'postgresql://u:p@h/db', CORRIGENDA_SECRET: 's'.repeat(32) }

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['10.0.0.1, 192.168.0.0/16,fd00::/8', '10.0.0.1, 192.168.0.0/16,fd00::/8'],
  ['loopback,uniquelocal,linklocal', 'loopback,uniquelocal,linklocal'],
  ['', false],
])('accepts TRUST_PROXY=%s, as Fastify does', async (text, expected) => {
  const { trustProxy } = loadApiConfig({ ...good, TRUST_PROXY: text })
  expect(trustProxy).toBe(expected)
  await fastify({ trustProxy }).close()
})

test.each([
  'foo',
  '0',
  '11',
  '10.0.0.1;10.0.0.2',
  '10.0.0.0/33',
  '10.0.0.0/0',
  'fd00::/129',
  '10.0.0.1/8/8',
  '10.0.0.1,',
  '300.1.1.1',
])('rejects TRUST_PROXY=%s as a configuration error', (text) => {
  expect(() => loadApiConfig({ ...good, TRUST_PROXY: text })).toThrow(ConfigError)
  expect(() => loadApiConfig({ ...good, TRUST_PROXY: text })).toThrow(/TRUST_PROXY: must be the number of proxies/)
})

test.each([
  ['1', '203.0.113.5'],
  ['true', '203.0.113.5'],
  ['10.0.0.9', '203.0.113.5'],
  ['2', '6.6.6.6'],
])('TRUST_PROXY=%s uses the address that the proxies added, not one that the client sent', async (text, expected) => {
  const app = fastify({ trustProxy: loadApiConfig({ ...good, TRUST_PROXY: text }).trustProxy })
  app.get('/', async ({ ip }) => ip)
  const headers = { 'x-forwarded-for': '7.7.7.7, 6.6.6.6, 203.0.113.5' }
  expect((await app.inject({ url: '/', headers, remoteAddress: '10.0.0.9' })).body).toBe(expected)
  await app.close()
})

test('ALLOWED_MODELS always contains the default model', () => {
  expect(loadApiConfig(good).allowedModels).toBeNull()
  const { allowedModels } = loadApiConfig({ ...good, MODEL: 'm', ALLOWED_MODELS: 'a, b,' })
  expect(allowedModels).toEqual(['a', 'b', 'm'])
})

test('CORS_ORIGINS accepts exact origins only', () => {
  expect(loadApiConfig(good).corsOrigins).toEqual([])
  const { corsOrigins } = loadApiConfig({ ...good, CORS_ORIGINS: 'https://app.example.com, http://localhost:3000,' })
  expect(corsOrigins).toEqual(['https://app.example.com', 'http://localhost:3000'])
  for (const text of [
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://a.example/x',
    'https://*.example',
    'file:///',
  ])
    expect(() => loadApiConfig({ ...good, CORS_ORIGINS: text }), text).toThrow(/CORS_ORIGINS: must be origins/)
})

test('rejects URLs of unsupported databases and queues', () => {
  expect(() => loadApiConfig({ ...good, DATABASE_URL: 'mysql://h/db', REDIS_URL: 'https://h' })).toThrow(
    /DATABASE_URL: must be a PostgreSQL[\s\S]*REDIS_URL: must be/,
  )
})

test('reads sentinels', () => {
  const sentinels = { REDIS_SENTINELS: 's1,s2' }
  expect(loadApiConfig({ ...good, ...sentinels, REDIS_URL: 'redis://m' }).redis?.sentinels?.hosts).toEqual(['s1', 's2'])
  expect(() => loadApiConfig({ ...good, ...sentinels })).toThrow(/REDIS_URL: is required together with/)
})

test('accepts complete sign-in provider settings, email addresses, domains and a bare origin, and rejects other values', () => {
  const config = loadApiConfig({
    ...good,
    PUBLIC_URL: 'https://docs.example.com/',
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
    SIGN_IN_ALLOWED_EMAILS: 'Ada@Example.com, @acme.example',
  })
  expect(config).toMatchObject({
    publicUrl: 'https://docs.example.com',
    signIn: {
      password: true,
      github: null,
      oidc: {
        issuer: 'https://id.example.com',
        clientId: 'a',
        clientSecret: 'b',
        name: 'Single sign-on',
        scopes: ['openid', 'email', 'profile'],
        groups: null,
      },
      allowedEmails: ['ada@example.com', '@acme.example'],
    },
    demoSignIn: false,
  })
  for (const OIDC_ISSUER of ['http://id.example.com', 'ftp://id.example.com']) {
    expect(() => loadApiConfig({ ...good, OIDC_ISSUER })).toThrow(/OIDC_ISSUER: must be https, or http on this machine/)
  }
  expect(() => loadApiConfig({ ...good, OIDC_ISSUER: 'id' })).toThrow(/OIDC_ISSUER: must be the URL of the issuer/)
  const wrong = { PUBLIC_URL: 'https://example.com/docs', GITHUB_OAUTH_CLIENT_ID: 'x', SIGN_IN_ALLOWED_EMAILS: 'ada' }
  expect(() => loadApiConfig({ ...good, ...wrong })).toThrow(
    /PUBLIC_URL: must have no path[\s\S]*SIGN_IN_ALLOWED_EMAILS: must be email[\s\S]*GITHUB_OAUTH_CLIENT_SECRET: is required together/,
  )
})

test('metrics are off by default, and have no label for the project', () => {
  expect(loadApiConfig(good)).toMatchObject({ metricsPort: null, metricsProjectLabel: false })
  expect(loadApiConfig({ ...good, METRICS_PORT: '9464', METRICS_PROJECT_LABEL: 'true' })).toMatchObject({
    metricsPort: 9464,
    metricsProjectLabel: true,
  })
})

test('passwords can be turned off only if another sign-in method is configured', () => {
  const off = { ...good, PASSWORD_SIGN_IN: 'false' }
  const github = { GITHUB_OAUTH_CLIENT_ID: 'a', GITHUB_OAUTH_CLIENT_SECRET: 'b' }
  const message = 'PASSWORD_SIGN_IN: can be false only if sign-in with GitHub or OpenID Connect is configured'
  expect(() => loadApiConfig(off)).toThrow(`The configuration is invalid:\n  ${message}`)
  expect(() => loadApiConfig({ ...off, GITHUB_OAUTH_CLIENT_ID: 'a' })).toThrow(message)
  expect(loadApiConfig({ ...off, ...github }).signIn.password).toBe(false)
  const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  expect(loadApiConfig({ ...off, ...oidc }).signIn.password).toBe(false)
  expect(() => loadApiConfig({ ...good, ...github, PASSWORD_SIGN_IN: 'no' })).toThrow(
    /PASSWORD_SIGN_IN: must be true or false/,
  )
})

test('reads the rules for groups, and rejects entries that are not exact', () => {
  const oidc = { ...good, OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  const read = (more: Record<string, string>) => loadApiConfig({ ...oidc, ...more }).signIn.oidc
  expect(read({ OIDC_ADMIN_GROUPS: 'ops, /acme/root,' })?.groups).toEqual({
    claim: 'groups',
    rules: { admins: ['ops', '/acme/root'], roles: [] },
  })
  const names = ['cn=docs,ou=teams', 'a=b:c']
  const rules = names.map((group) => `${group}=prj_01a:owner`)
  expect(read({ OIDC_GROUPS_CLAIM: 'a.b', OIDC_GROUP_ROLES: JSON.stringify(rules) })?.groups).toEqual({
    claim: 'a.b',
    rules: { admins: [], roles: names.map((group) => ({ group, projectId: 'prj_01a', role: 'owner' })) },
  })
  const roles = read({ OIDC_GROUP_ROLES: 'docs=prj_1:member, docs=prj_2:viewer' })?.groups?.rules.roles
  expect(roles).toEqual([
    { group: 'docs', projectId: 'prj_1', role: 'member' },
    { group: 'docs', projectId: 'prj_2', role: 'viewer' },
  ])
  expect(read({ OIDC_SCOPES: ' openid  groups ' })?.scopes).toEqual(['openid', 'groups'])

  for (const [more, message] of [
    [{ OIDC_GROUP_ROLES: 'docs=prj_1:admin' }, /OIDC_GROUP_ROLES: "docs=prj_1:admin" must be group=project:role/],
    [{ OIDC_GROUP_ROLES: 'docs=Docs:member' }, /must be group=project:role/],
    [{ OIDC_GROUP_ROLES: 'docs' }, /must be group=project:role/],
    [{ OIDC_GROUP_ROLES: '=prj_1:member' }, /must be group=project:role/],
    [{ OIDC_GROUP_ROLES: 'cn=docs,ou=teams=prj_1:member' }, /"cn=docs" must be .* write a JSON array/],
    [{ OIDC_GROUP_ROLES: '["docs=prj_1:member"' }, /OIDC_GROUP_ROLES: must be values separated by commas, or a JSON/],
    [{ OIDC_GROUP_ROLES: 'a=prj_1:member,a=prj_1:viewer' }, /maps the group "a" to prj_1 more than once/],
    [{ OIDC_ADMIN_GROUPS: '["ops", 1]' }, /OIDC_ADMIN_GROUPS: must be values separated by commas, or a JSON/],
    [{ OIDC_ADMIN_GROUPS: 'x'.repeat(1001) }, /OIDC_ADMIN_GROUPS: must not contain a name with more than 1000/],
    [{ OIDC_SCOPES: 'email groups' }, /OIDC_SCOPES: must contain openid/],
    [{ OIDC_SCOPES: 'openid "groups"' }, /OIDC_SCOPES: must be scopes separated by spaces/],
  ] as const) {
    expect(() => read(more)).toThrow(message)
  }
  expect(() => loadApiConfig({ ...good, OIDC_ADMIN_GROUPS: 'ops' })).toThrow(/OIDC_ADMIN_GROUPS: requires OIDC_ISSUER/)
})

test('reads model aliases, and rejects entries without an alias or a model id', () => {
  const read = (text?: string) => loadApiConfig({ ...good, MODEL_ALIASES: text }).modelAliases
  expect(read()).toMatchObject({ sonnet: 'claude-sonnet-5-5', opus: 'claude-opus-5-5' })
  expect(read('sonnet=eu.anthropic.claude-sonnet-5-5-v1:0, fast = small')).toMatchObject({
    sonnet: 'eu.anthropic.claude-sonnet-5-5-v1:0',
    fast: 'small',
  })
  for (const text of ['sonnet', 'sonnet=', '=x', 'So nnet=x', 'sonnet=a b', 'sonnet=x,']) {
    expect(() => read(text)).toThrow(/MODEL_ALIASES: must be alias=model-id/)
  }
})
