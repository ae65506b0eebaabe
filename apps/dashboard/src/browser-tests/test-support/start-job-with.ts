import type { Database } from '@corrigenda/core/db'
import { claimRun, startRun } from '@corrigenda/core/runs'
import { openLog } from '@corrigenda/core/runtime'
import { buildRunEvents } from '../../../../worker/src/agent-work/run-events.ts'
import { buildTranscriptStore } from '../../../../worker/src/run/build-transcript-store.ts'

const RULES = { leaseSeconds: 600, maxAttempts: 10, projectConcurrency: 100 }
const TOKENS = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }
type StoreInput = Parameters<typeof buildTranscriptStore>[1]

/**
 * Claims a queued job and stores one model reply with these tool calls. The job stays active.
 * Requires that no worker is running.
 */
export async function startJobWith(
  database: Database,
  jobId: string,
  calls: readonly (readonly [name: string, input: object])[],
): Promise<void> {
  const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId, active: true } })
  const fence = await claimRun({ ...database, ...RULES }, { owner: 'test', runId })
  if (!fence) throw new Error(`the run for job ${jobId} cannot be claimed`)
  await startRun(database, fence, { baseBranch: 'main', baseCommit: 'b'.repeat(40), branch: `corrigenda/${jobId}` })
  const workTree = { takeDirty: () => [] } as Partial<StoreInput['workTree']> as StoreInput['workTree']
  const log = openLog({ level: 'silent', secrets: [] })
  const instructions = { listPaths: () => [], note: async () => [] }
  const store = buildTranscriptStore(
    { prisma: database.prisma, onPoint: async () => {}, log, monthlyBudgetUsd: null },
    { fence, projectId: fence.projectId, workTree, instructions },
  )
  const content = calls.map(([name, input], n) => ({ type: 'tool_use', id: `toolu_${n}`, name, input }))
  const row = { role: 'assistant', content, stopReason: 'tool_use', usage: TOKENS, requestId: null }
  const rows = [{ conversation: 0, seq: 0, row }] as unknown as Parameters<typeof store.append>[0]
  const events = await buildRunEvents([], async (texts) => texts, [])(rows, {})
  await store.append(rows, { ...TOKENS, costUsd: null, turns: 1 }, [], null, events)
}
