import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureCacheDir } from './ensure-cache-dir.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-cache-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('creates a private folder and accepts one that only its owner can write to', async () => {
  const made = path.join(dir, 'a', 'b')
  await ensureCacheDir(made)
  expect((await stat(made)).mode & 0o777).toBe(0o700)
  await ensureCacheDir(`${made}/`)
  await chmod(made, 0o755)
  await ensureCacheDir(made)
})

test.each([0o775, 0o757, 0o1777])('rejects a folder that others can write to (%i)', async (mode) => {
  const open = path.join(dir, `open-${mode}`)
  await mkdir(open)
  await chmod(open, mode)
  await expect(ensureCacheDir(open)).rejects.toThrow(/is writable by other users\. Set CACHE_DIR/)
})

test('rejects files and symbolic links, including broken ones', async () => {
  const target = path.join(dir, 'target')
  await mkdir(target, { mode: 0o700 })
  for (const [name, to] of [
    ['link', target],
    ['broken', path.join(dir, 'nowhere')],
  ] as const) {
    await symlink(to, path.join(dir, name))
    await expect(ensureCacheDir(path.join(dir, name))).rejects.toThrow(
      /symbolic link.*CACHE_DIR|cannot be created.*CACHE_DIR/,
    )
  }
  await expect(ensureCacheDir(`${path.join(dir, 'link')}/`)).rejects.toThrow(/symbolic link/)
  await writeFile(path.join(dir, 'file'), '')
  await expect(ensureCacheDir(path.join(dir, 'file'))).rejects.toThrow(/is not a folder\. Set CACHE_DIR/)
  await expect(ensureCacheDir(path.join(dir, 'file', 'below'))).rejects.toThrow(/cannot be created.*CACHE_DIR/)
})

test.runIf(process.getuid?.() === 0)('rejects a folder that belongs to another user', async () => {
  const foreign = path.join(dir, 'foreign')
  await mkdir(foreign, { mode: 0o700 })
  await chown(foreign, 12345, 12345)
  await expect(ensureCacheDir(foreign)).rejects.toThrow(/belongs to another user\. Set CACHE_DIR/)
})
