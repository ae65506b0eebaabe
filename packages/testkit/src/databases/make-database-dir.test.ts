import { rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDatabaseDir } from './make-database-dir.ts'

async function make(memory: string, needed: number) {
  const dir = await makeDatabaseDir('corrigenda-memory-', memory, needed)
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test('uses memory only if it exists and enough of it is free', async () => {
  const memory = path.dirname(await make(os.homedir(), 1))
  expect(memory).toBe(os.homedir())
  for (const [dir, needed] of [
    [os.homedir(), Number.MAX_SAFE_INTEGER],
    [path.join(os.homedir(), 'no-such-folder'), 1],
  ] as const)
    expect(path.dirname(await make(dir, needed))).toBe(os.tmpdir())
})

test('all users can read the folder', async () => {
  expect((await stat(await make(os.tmpdir(), 1))).mode & 0o777).toBe(0o755)
})
