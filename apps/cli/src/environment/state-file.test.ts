import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ensureSecret, findDemoHost, findSecret } from './state-file.ts'

test('finds a stored secret and reports an unreadable state file', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-state-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  expect([await findSecret(dir), await findDemoHost(dir)]).toEqual([null, null])
  const secret = await ensureSecret(dir)
  expect([await findSecret(dir), await ensureSecret(dir)]).toEqual([secret, secret])
  // A folder in place of the file cannot be read by any account, including root.
  await mkdir(path.join(dir, 'git-host.json'))
  await expect(findDemoHost(dir)).rejects.toThrow(/Cannot read .*git-host\.json \(EISDIR\)\. Make it readable/)
})
