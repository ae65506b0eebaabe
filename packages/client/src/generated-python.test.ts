import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

test('python/corrigenda/_generated.py matches openapi.json (if not, run "pnpm openapi")', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-python-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'generated.py')
  const made = spawnSync(process.execPath, ['scripts/generate-python.mjs', file], { cwd: root, encoding: 'utf8' })
  expect([made.status, made.stderr]).toEqual([0, ''])
  expect(await readFile(file, 'utf8')).toBe(await readFile(path.join(root, 'python/corrigenda/_generated.py'), 'utf8'))
})
