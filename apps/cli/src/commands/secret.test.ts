import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseCopy } from '../test-support/open-database-copy.ts'
import { buildJson } from '../test-support/open-folder.ts'
import { runCli } from '../test-support/run-cli.ts'

async function open(secret: string) {
  const { dir, url, close } = await openDatabaseCopy()
  onTestFinished(close)
  return { dir, url, json: buildJson(dir, { DATABASE_URL: url, CORRIGENDA_SECRET: secret }) }
}

test('replaces the secret of the database and explains what is missing', async () => {
  const old = 'b4f0a7c2d9e1836f5a0c7e2d4b8f6190a3c5e7d9'
  const { json, dir, url } = await open(old)
  const { id: project } = await json('project', 'create', '--name', 'P', '--repository', 'https://github.com/acme/docs')
  await json('project', 'update', project, '--deploy-hook', 'https://deploy.example.com/path')
  const fresh = '5f2e8c1a9b7d6043e1f0a2b4c6d8e9f7053b1d9c7a5e3f12'
  const rotate = (settings: Record<string, string>) =>
    runCli(dir, ['secret', 'rotate', '--json'], { DATABASE_URL: url, ...settings })

  const missing = await rotate({ CORRIGENDA_SECRET: old })
  expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/CORRIGENDA_SECRET_PREVIOUS: is required/)])
  const same = await rotate({ CORRIGENDA_SECRET: old, CORRIGENDA_SECRET_PREVIOUS: old })
  expect([same.code, same.err]).toEqual([2, expect.stringMatching(/must differ from the old secret/)])
  const weak = await rotate({ CORRIGENDA_SECRET: 'w'.repeat(40), CORRIGENDA_SECRET_PREVIOUS: old })
  expect([weak.code, weak.err]).toEqual([2, expect.stringMatching(/is not random enough/)])

  const settings = { CORRIGENDA_SECRET: fresh, CORRIGENDA_SECRET_PREVIOUS: old }
  const doctor = async () => (await runCli(dir, ['doctor'], { DATABASE_URL: url, ...settings })).out
  expect(await doctor()).toMatch(/still uses CORRIGENDA_SECRET_PREVIOUS/)
  const done = await rotate(settings)
  expect([done.code, JSON.parse(done.out)]).toEqual([0, { resealed: 1, unreadable: [] }])
  expect(await doctor()).toMatch(/matches the database/)
  const shown = await runCli(dir, ['project', 'list'], { DATABASE_URL: url, CORRIGENDA_SECRET: fresh })
  expect(shown.code).toBe(0)
  const refused = await runCli(dir, ['project', 'list'], { DATABASE_URL: url, CORRIGENDA_SECRET: old })
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/CORRIGENDA_SECRET differs/)])
})

test('creates the key that signs commits, prints it, and deletes it', async () => {
  const { json } = await open('s3cr3t-of-the-test-of-signing-keys-0123456789')
  const { publicKey } = await json('signing-key')
  expect(publicKey).toMatch(/^ssh-ed25519 \S+ corrigenda$/)
  expect((await json('signing-key')).publicKey).toBe(publicKey)
  expect(await json('signing-key', '--remove')).toEqual({ removed: true })
  expect((await json('signing-key')).publicKey).not.toBe(publicKey)
})
