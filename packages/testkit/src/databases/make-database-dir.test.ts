import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDatabaseDir } from './make-database-dir.ts'

/** Creates a folder that stands for a file system in memory. */
async function makeMemory() {
  const memory = await mkdtemp(path.join(os.tmpdir(), 'memory-'))
  onTestFinished(() => rm(memory, { recursive: true }))
  return memory
}

test('uses memory only if it exists and enough of it is free', async () => {
  const memory = await makeMemory()
  const missing = path.join(memory, 'missing')
  expect(path.dirname(await makeDatabaseDir('corrigenda-a-', memory, 1))).toBe(memory)
  for (const [dir, needed] of [
    [memory, Number.MAX_SAFE_INTEGER],
    [missing, 1],
  ] as const) {
    const made = await makeDatabaseDir('corrigenda-a-', dir, needed)
    onTestFinished(() => rm(made, { recursive: true }))
    expect(path.dirname(made)).toBe(os.tmpdir())
  }
})

test('all users can read the folder', async () => {
  expect((await stat(await makeDatabaseDir('corrigenda-a-', await makeMemory(), 1))).mode & 0o777).toBe(0o755)
})

test('removes the folders of processes that have ended', async () => {
  const memory = await makeMemory()
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  const kept = [`corrigenda-a-b-${process.ppid}-abcdef`, `other-${child.pid}-abcdef`]
  for (const name of [...kept, `corrigenda-a-b-${child.pid}-abcdef`])
    await mkdir(path.join(memory, name, 'data'), { recursive: true })
  const own = path.basename(await makeDatabaseDir('corrigenda-a-', memory, 1))
  expect((await readdir(memory)).sort()).toEqual([...kept, own].sort())
})
