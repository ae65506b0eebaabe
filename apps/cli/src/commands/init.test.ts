import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'

async function openFolder(text?: string) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-init-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const file = path.join(dir, '.env')
  if (text !== undefined) await writeFile(file, text, { mode: 0o644 })
  return { dir, file, init: () => runCli(dir, ['init']), read: () => readFile(file, 'utf8') }
}

test('writes generated secrets, readable only by their owner, and prints the next commands', async () => {
  const { dir, file, init, read } = await openFolder()
  const { code, out } = await init()
  expect(code).toBe(0)
  const text = await read()
  expect(text).toMatch(/^CORRIGENDA_SECRET=[0-9a-f]{64}$/m)
  expect(text).toMatch(/^POSTGRES_PASSWORD=[0-9a-f]{48}$/m)
  expect(text).toMatch(/^ANTHROPIC_API_KEY=$/m)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(dir)).toEqual(['.env'])
  expect(out).toContain('set ANTHROPIC_API_KEY and GITHUB_TOKEN in .env')
  expect(out).toContain('docker compose up -d --wait')
  const [secret] = /[0-9a-f]{64}/.exec(text) ?? []
  expect(out).not.toContain(secret)
})

test('never changes a value, and is safe to repeat', async () => {
  const own =
    '# mine\nPORT=9000\nexport CORRIGENDA_SECRET="kept kept kept kept kept kept kept"\nPOSTGRES_PASSWORD=\nMODEL_PROVIDER=bedrock'
  const { file, init, read } = await openFolder(own)
  const { out } = await init()
  const text = await read()
  expect(text.startsWith(own.split('POSTGRES')[0] ?? '')).toBe(true)
  expect(text).toMatch(/^POSTGRES_PASSWORD=[0-9a-f]{48}\nMODEL_PROVIDER=bedrock\n/m)
  expect(out).not.toContain('set ANTHROPIC_API_KEY')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await init()).out).toContain('Nothing was changed')
  expect(await read()).toBe(text)
})
