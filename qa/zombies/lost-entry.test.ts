import { COMMAND_LINE } from '@corrigenda/core/audit'
import { createJob } from '@corrigenda/core/jobs'
import { openLog } from '@corrigenda/core/runtime'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterEach, beforeEach, expect, test } from 'vitest'

let service: TestService
beforeEach(async () => {
  service = await openTestService('postgres')
})
afterEach(() => service.close())

test('finds a job in the database if it has no queue entry', async () => {
  const deps = {
    audit: COMMAND_LINE,
    prisma: service.database.prisma,
    pool: service.database.pool,
    queue: { wakeWorker: () => Promise.reject(new Error('unreachable')) },
    log: openLog({ level: 'silent', secrets: [] }),
    defaultModel: 'claude-sonnet-5-5',
    quota: { limit: 1, windowSeconds: 60 },
  }
  const request = { prompt: scriptPrompt('Edit.', [editPage(1, 'Found.')]) }
  const created = await createJob(deps, { projectId: service.project.id, request, idempotencyKey: null })
  const { id }: { id: string } = created.job
  await service.startWorker()
  await expect.poll(async () => (await service.read(id)).phase).not.toBe('queued')
  expect(await service.ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
})
