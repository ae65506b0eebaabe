import type { AgentJob, ChangedText, Evidence, FileChange, NewJobEvent, RunSource } from '@corrigenda/contracts'
import type { Database } from '@corrigenda/core/db'
import { buildTestPublish } from '@corrigenda/core/internal/test-support/build-test-publish'
import { claimRun, finishRun, freezeRun, type NewTranscriptRow, saveTurn, startRun } from '@corrigenda/core/runs'

const RULES = { leaseSeconds: 600, maxAttempts: 10, projectConcurrency: 100 }
const USAGE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null, turns: 1 }

interface Ending {
  readonly files: readonly FileChange[]
  readonly texts?: readonly ChangedText[]
  readonly rows?: readonly Pick<NewTranscriptRow, 'role' | 'content'>[]
  readonly title?: string
  readonly summary?: string
  readonly branch?: string
  readonly checks?: AgentJob['checks']
  readonly sources?: readonly RunSource[]
  readonly evidence?: readonly Evidence[]
  readonly pullRequest?: Omit<NonNullable<AgentJob['pullRequest']>, 'checks'>
}

/**
 * Ends a queued job with any result that a worker can produce. Requires that no worker is running.
 */
export async function endJobWith(database: Database, jobId: string, ending: Ending): Promise<void> {
  const {
    files,
    texts = [],
    rows = [],
    title = 'A change',
    summary = 'Done.',
    branch = `corrigenda/${jobId}`,
    checks = [],
    sources = [],
    evidence = [],
  } = ending
  const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId, active: true } })
  const claim = await claimRun({ ...database, ...RULES }, { owner: 'test', runId })
  if (!claim) throw new Error(`the run for job ${jobId} cannot be claimed`)
  await startRun(database, claim, { baseBranch: 'main', baseCommit: 'b'.repeat(40), branch, sources })
  const events = rows.flatMap(({ content }) => toEvents(content))
  const stored = rows.map((row, seq) => ({
    seq,
    conversation: 0,
    stopReason: null,
    requestId: null,
    usage: null,
    ...row,
  }))
  await saveTurn(database, claim, { rows: stored, files: [], usage: USAGE, events })
  const publish = buildTestPublish({ branch, title, evidence: [...evidence] })
  const { baseCommit, commit } = publish
  const changes = { baseCommit, files, texts }
  await freezeRun(database, claim, { publish, title, summary, checks, changes })
  await database.prisma.job.update({ where: { id: jobId }, data: { headCommit: commit } })
  const number = Number.parseInt(jobId.slice(-5), 36) + 1
  const pullRequest = ending.pullRequest ?? {
    number,
    url: `https://github.com/acme/docs/pull/${number}`,
    branch,
    state: 'open' as const,
    draft: false,
  }
  await finishRun(database, claim, { kind: 'changed', pullRequest })
}

/** Returns the timeline events for a message's content. */
function toEvents(content: unknown): NewJobEvent[] {
  const blocks: readonly { type?: string; text?: string; name?: string }[] = Array.isArray(content) ? content : []
  return blocks.flatMap(({ type, text = '', name = '' }): NewJobEvent[] => {
    if (type === 'tool_use') return [{ type: 'tool.called', data: { tool: name, subject: name } }]
    return type === 'text' ? [{ type: 'agent.said', data: { text } }] : []
  })
}

/** Returns the change that adds a file with these lines. */
export function toAddedFile(path: string, lines: readonly string[]): FileChange {
  const body = lines.map((line) => `+${line}\n`).join('')
  return {
    path,
    status: 'added',
    additions: lines.length,
    deletions: 0,
    omitted: null,
    patch: `diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,${lines.length} @@\n${body}`,
  }
}
