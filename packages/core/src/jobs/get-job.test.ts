import { AgentJob } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { getJob } from './get-job.ts'

test('a job is read as with Prisma, in the form and the order of the API schema', async () => {
  const database = openTestDatabase()
  const { projectId, jobId } = await createTestRun(database)
  const { prisma } = database
  const states: Parameters<typeof prisma.job.update>[0]['data'][] = [
    {},
    { title: 'Ti"tle\u2028', costUsd: '0.000001', inputTokens: 2_147_483_647, metadata: { b: '1', a: '2' } },
    {
      costUsd: '123456.7',
      prNumber: 7,
      prUrl: `https://example.com/${jobId}`,
      prBranch: 'b',
      prState: 'open',
      prDraft: false,
    },
    { checks: [{ name: 'links', status: 'passed', introduced: 0, preexisting: 1, findings: [] }] },
    { prChecks: 'failed', startedAt: new Date(0), summary: 'Grüße 😀' },
  ]
  for (const data of states) {
    await prisma.job.update({ where: { id: jobId }, data })
    const found = JSON.stringify(await getJob(database, { projectId, id: jobId }))
    const row = await prisma.job.findUniqueOrThrow({ where: { id: jobId } })
    expect(found).toBe(JSON.stringify(toAgentJob(row)))
    expect(found).toBe(JSON.stringify(AgentJob.parse(JSON.parse(found))))
  }
})
