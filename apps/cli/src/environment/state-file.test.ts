import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ensureSecret, findDemoHost, findSecret } from './state-file.ts'

test('a secret that was made is found; one that is there and cannot be read is not taken for none', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-state-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  expect([await findSecret(dir), await findDemoHost(dir)]).toEqual([null, null])
  const secret = await ensureSecret(dir)
  expect([await findSecret(dir), await ensureSecret(dir)]).toEqual([secret, secret])
  // A folder in its place: unreadable for every account, also for root.
  await mkdir(path.join(dir, 'git-host.json'))
  await expect(findDemoHost(dir)).rejects.toThrow(/git-host\.json cannot be read \(EISDIR\)\. Make it readable/)
})
