import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  ensureSecret,
  findDemoHost,
  findFirstJob,
  findPublicUrl,
  findSecret,
  saveFirstJob,
  savePublicUrl,
} from './state-file.ts'

test('finds a stored secret and reports an unreadable state file', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-state-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  expect([await findSecret(dir), await findDemoHost(dir)]).toEqual([null, null])
  const secret = await ensureSecret(dir)
  expect([await findSecret(dir), await ensureSecret(dir)]).toEqual([secret, secret])
  expect([await findPublicUrl(dir), await findFirstJob(dir, 'prj_1', 'p')]).toEqual([null, null])
  await savePublicUrl(dir, 'http://localhost:9999')
  await saveFirstJob(dir, 'prj_1', 'p', 'job_1')
  await saveFirstJob(dir, 'prj_2', 'p', 'job_2')
  expect(await findPublicUrl(dir)).toBe('http://localhost:9999')
  expect([await findFirstJob(dir, 'prj_1', 'p'), await findFirstJob(dir, 'prj_1', 'q')]).toEqual(['job_1', null])
  // A folder in place of the file cannot be read by any account, including root.
  await mkdir(path.join(dir, 'git-host.json'))
  await expect(findDemoHost(dir)).rejects.toThrow(/Cannot read .*git-host\.json \(EISDIR\)\. Make it readable/)
})
