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

test('rejects URLs of unsupported databases and queues', () => {
  expect(() => loadApiConfig({ ...good, DATABASE_URL: 'mysql://h/db', REDIS_URL: 'https://h' })).toThrow(
    /DATABASE_URL: must be a PostgreSQL[\s\S]*REDIS_URL: must be/,
  )
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
      github: null,
      oidc: { issuer: 'https://id.example.com', clientId: 'a', clientSecret: 'b', name: 'Single sign-on' },
      allowedEmails: ['ada@example.com', '@acme.example'],
    },
    demoSignIn: false,
  })
  for (const OIDC_ISSUER of ['http://id.example.com', 'ftp://id.example.com']) {
    expect(() => loadApiConfig({ ...good, OIDC_ISSUER })).toThrow(/OIDC_ISSUER: must be https, or http on this machine/)
  }
  const wrong = { PUBLIC_URL: 'https://example.com/docs', GITHUB_OAUTH_CLIENT_ID: 'x', SIGN_IN_ALLOWED_EMAILS: 'ada' }
  expect(() => loadApiConfig({ ...good, ...wrong })).toThrow(
    /PUBLIC_URL: must have no path[\s\S]*SIGN_IN_ALLOWED_EMAILS: must be email[\s\S]*GITHUB_OAUTH_CLIENT_SECRET: is required together/,
  )
})
