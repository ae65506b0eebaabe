import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunningPostgres, startPostgres } from './index.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-pg-'))
  await chmod(dir, 0o755)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function ask(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return String(Object.values((await client.query(sql)).rows[0] ?? {})[0])
  } finally {
    await client.end()
  }
}

test('starts, is found by another caller, stops, and keeps its data', async () => {
  const stateDir = path.join(dir, 'state')
  expect(await findRunningPostgres(stateDir)).toBeNull()
  const first = await startPostgres({ stateDir, durable: false })
  try {
    expect(await ask(first.url, 'SHOW server_version_num')).toMatch(/^18/)
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    expect((await findRunningPostgres(stateDir))?.url).toBe(first.url)
    const second = await startPostgres({ stateDir, durable: false })
    expect([second.owned, second.url]).toEqual([false, first.url])
    await second.stop()
    expect(await ask(first.url, 'SELECT answer FROM kept')).toBe('42')
    await expect(ask(first.url.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/)
  } finally {
    await first.stop()
  }
  expect(await findRunningPostgres(stateDir)).toBeNull()
  const again = await startPostgres({ stateDir, durable: false })
  expect(await ask(again.url, 'SELECT answer FROM kept')).toBe('42')
  await again.stop()
})

test('works below a private folder', async () => {
  const hidden = path.join(dir, 'private')
  execFileSync('mkdir', ['-m', '700', hidden])
  const server = await startPostgres({ stateDir: path.join(hidden, 'state'), durable: false })
  expect(await ask(server.url, 'SELECT 1')).toBe('1')
  await server.stop()
})

test('the server ends when its owner is killed', async () => {
  const stateDir = path.join(dir, 'orphan')
  const prepared = await startPostgres({ stateDir, durable: false })
  await prepared.stop()
  const script = `const { startPostgres } = await import(${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)})
    const s = await startPostgres({ stateDir: ${JSON.stringify(stateDir)}, durable: false }); console.log(s.pid); setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = Number(await new Promise((resolve) => owner.stdout.once('data', resolve)))
  owner.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
