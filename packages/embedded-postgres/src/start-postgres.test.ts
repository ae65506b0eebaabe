import { execFileSync, spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findRunningPostgres, startPostgres } from './index.ts'
import { readLock, toLockFile } from './server-lock.ts'

let dir: string
let template: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-pg-'))
  await chmod(dir, 0o755)
  template = path.join(dir, 'template')
  const server = await startPostgres({ stateDir: template, durable: false })
  await server.stop()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Returns a folder with an initialized but stopped server. Copying is faster than initdb. */
function copyTemplate(name: string): string {
  const stateDir = path.join(dir, name)
  execFileSync('cp', ['-a', template, stateDir])
  return stateDir
}

async function ask(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return String(Object.values((await client.query(sql)).rows[0] ?? {})[0])
  } finally {
    await client.end()
  }
}

test('starts a server that other callers can find, and keeps its data after a stop and a move of the folder', async () => {
  const stateDir = copyTemplate('before')
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
  const moved = path.join(dir, 'after')
  await rename(stateDir, moved)
  const again = await startPostgres({ stateDir: moved, durable: false })
  expect(await ask(again.url, 'SELECT answer FROM kept')).toBe('42')
  await again.stop()
  expect(await readdir(dir)).not.toContain('before')
})

test('starts with a state folder inside a private folder', async () => {
  const hidden = path.join(dir, 'private')
  execFileSync('mkdir', ['-m', '700', hidden])
  const server = await startPostgres({ stateDir: path.join(hidden, 'state'), durable: false })
  expect(await ask(server.url, 'SELECT 1')).toBe('1')
  await server.stop()
  const { dataDir } = JSON.parse(await readFile(path.join(hidden, 'state', 'postgres.json'), 'utf8'))
  if (process.getuid?.() !== 0) return
  expect(dataDir).toMatch(/^\/var\/lib\/corrigenda\/data-[0-9a-f]{16}$/)
  expect(JSON.parse(await readFile(`${dataDir}.json`, 'utf8'))).toEqual({ stateDir: path.join(hidden, 'state') })
  for (const at of [dataDir, `${dataDir}.json`]) await rm(at, { recursive: true })
})

test('stops the server when its only user is killed but not while another user remains', async () => {
  const stateDir = copyTemplate('orphan')
  const alone = await startElsewhere(stateDir)
  alone.kill()
  await expect.poll(() => isAlive(alone.pid)).toBe(false)

  const owner = await startElsewhere(stateDir)
  const adopter = await startPostgres({ stateDir, durable: false })
  expect(adopter).toMatchObject({ owned: false, pid: owner.pid })
  owner.kill()
  await owner.exited
  const third = await startPostgres({ stateDir, durable: false })
  expect(third).toMatchObject({ owned: false, pid: owner.pid })
  await third.stop()
  expect(await ask(adopter.url, 'SELECT 1')).toBe('1')
  await adopter.stop()
  await adopter.stop()
  expect(isAlive(owner.pid)).toBe(false)
})

test('keeps the server running for a second user after the user that started it has stopped', async () => {
  const stateDir = copyTemplate('short')
  const short = await startPostgres({ stateDir, durable: false })
  const long = await startPostgres({ stateDir, durable: false })
  await short.stop()
  expect(await ask(long.url, 'SELECT 1')).toBe('1')
  await long.stop()
  expect(isAlive(long.pid)).toBe(false)
  const users = async () => (await readdir(path.join(stateDir, 'postgres'))).filter((name) => name.startsWith('users'))
  await expect.poll(users).toEqual([])
})

test('never returns a stopped server to concurrent short-lived users', async () => {
  const stateDir = copyTemplate('churn')
  const work = async () => {
    for (let round = 0; round < 2; round++) {
      const server = await startPostgres({ stateDir, durable: false })
      expect(await ask(server.url, 'SELECT 1')).toBe('1')
      await server.stop()
    }
  }
  await Promise.all([work(), work(), work()])
  expect(await findRunningPostgres(stateDir)).toBeNull()
})

test('starts one server for concurrent first calls', async () => {
  const stateDir = path.join(dir, 'race')
  const servers = await Promise.all([1, 2, 3].map(() => startPostgres({ stateDir, durable: false })))
  expect(new Set(servers.map((server) => server.url)).size).toBe(1)
  expect(servers.filter((server) => server.owned)).toHaveLength(1)
  expect((await readdir(stateDir)).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log'])
  await Promise.all(servers.map((server) => server.stop()))
})

test("ignores a crashed server's lock file, even when its process id is in use again", async () => {
  const stateDir = copyTemplate('stale')
  const dataDir = path.join(stateDir, 'postgres')
  const first = await startPostgres({ stateDir, durable: false })
  await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  const lock = (await readLock(dataDir))?.text ?? ''
  await first.stop()
  // Runs under the server's account, so that PostgreSQL mistakes the process for another server.
  const uid = process.getuid?.() === 0 ? Number(execFileSync('id', ['-u', 'postgres'])) : undefined
  const foreign = spawn('sleep', ['60'], uid === undefined ? {} : { uid })
  onTestFinished(() => void foreign.kill())
  await writeFile(toLockFile(dataDir), lock.replace(/^\d+/, String(foreign.pid)))
  execFileSync('chown', ['--reference', dataDir, toLockFile(dataDir)])
  expect(await findRunningPostgres(stateDir)).toBeNull()
  const again = await startPostgres({ stateDir, durable: false, port: first.port })
  expect(again.owned).toBe(true)
  expect(await ask(again.url, 'SELECT answer FROM kept')).toBe('42')
  expect(foreign.exitCode).toBeNull()
  // Simulates a crash in which the server is killed, its keeper exits and the files remain.
  process.kill(again.pid, 'SIGKILL')
  await again.stop()
  const recovered = await startPostgres({ stateDir })
  expect(await ask(recovered.url, 'SELECT answer FROM kept')).toBe('42')
  await recovered.stop()
})

test('rejects a data folder that belongs to another owner and does not change it', async () => {
  const precious = path.join(dir, 'precious')
  await mkdir(precious)
  await writeFile(path.join(precious, 'file'), 'kept')
  const stateDir = path.join(dir, 'foreign')
  await mkdir(stateDir)
  for (const dataDir of [
    precious,
    '../precious',
    '/var/lib/corrigenda/data-x',
    '/var/lib/corrigenda/data-0123456789abcdef/..',
  ]) {
    await writeFile(path.join(stateDir, 'postgres.json'), JSON.stringify({ dataDir, password: 'x' }))
    await expect(startPostgres({ stateDir })).rejects.toThrow(/"dataDir" in postgres\.json/)
  }
  await writeFile(path.join(stateDir, 'postgres.json'), JSON.stringify({ dataDir: 'postgres', password: 'x' }))
  await cp(precious, path.join(stateDir, 'postgres'), { recursive: true })
  await expect(startPostgres({ stateDir })).rejects.toThrow(/contains files but no database/)
  expect(await readFile(path.join(stateDir, 'postgres', 'file'), 'utf8')).toBe('kept')
  expect(await readFile(path.join(precious, 'file'), 'utf8')).toBe('kept')
})

test('cleans up and repeats an interrupted initialization', async () => {
  const stateDir = path.join(dir, 'cut')
  await mkdir(path.join(stateDir, 'postgres.initdb-0123456789abcdef', 'base'), { recursive: true })
  await mkdir(path.join(stateDir, 'postgres'))
  const server = await startPostgres({ stateDir, durable: false })
  expect(await ask(server.url, 'SELECT 1')).toBe('1')
  await server.stop()
  expect((await readdir(stateDir)).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log'])
})

async function startElsewhere(stateDir: string): Promise<{ pid: number; kill(): void; exited: Promise<unknown> }> {
  const script = `const { startPostgres } = await import(${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)})
    const s = await startPostgres({ stateDir: ${JSON.stringify(stateDir)}, durable: false }); console.log(s.pid); setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise((resolve) => owner.once('exit', resolve))
  const pid = Number(await new Promise((resolve) => owner.stdout.once('data', resolve)))
  return { pid, exited, kill: () => owner.kill('SIGKILL') }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
