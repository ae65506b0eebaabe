import { expect, test } from 'vitest'
import { listSecrets } from '../start-api.ts'
import { loadApiConfig } from './config.ts'

const SECRETS = {
  CORRIGENDA_SECRET: 's'.repeat(32),
  CORRIGENDA_SECRET_PREVIOUS: 't'.repeat(32),
  DATABASE_URL: 'postgresql://u:password-1@h/db',
  DATABASE_DIRECT_URL: 'postgresql://u:long-password-2@h/db',
  REDIS_URL: 'redis://:password-3@master',
  REDIS_SENTINEL_PASSWORD: 'password-4',
  GITHUB_WEBHOOK_SECRET: 'a-secret-of-the-git-host',
  GITHUB_OAUTH_CLIENT_SECRET: 'password-5',
  OIDC_CLIENT_SECRET: 'password-6',
}

test('lists every secret for redaction', () => {
  const config = loadApiConfig({
    ...SECRETS,
    REDIS_SENTINELS: 's1',
    GITHUB_OAUTH_CLIENT_ID: 'id',
    OIDC_CLIENT_ID: 'id',
    OIDC_ISSUER: 'https://login.example.com',
    HTTPS_PROXY: 'http://docs:password%207@proxy:3128',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20password-8',
  })
  expect(new Set(listSecrets(config))).toEqual(
    new Set([
      ...Object.values(SECRETS),
      'long-password-2',
      'password 7',
      Buffer.from('docs:password 7').toString('base64'),
      'Bearer password-8',
    ]),
  )
})
