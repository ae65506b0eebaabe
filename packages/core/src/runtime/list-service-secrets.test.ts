import { expect, test } from 'vitest'
import { listServiceSecrets } from './list-service-secrets.ts'

test.each([
  ['encoded', 'p%2Fssw0rd-of-the-db', 'p/ssw0rd-of-the-db'],
  ['with a % that encodes nothing', '100%-sure-of-the-db', '100%-sure-of-the-db'],
])('lists the password of a URL, %s', (_, text, password) => {
  const databaseUrl = `postgresql://user:${text}@db.example.com/corrigenda`
  const settings = { secret: 's', previousSecret: null, databaseUrl, databaseDirectUrl: databaseUrl, redis: null }
  expect(listServiceSecrets(settings)).toEqual(['s', databaseUrl, password])
})
