import type { CheckResult, ToolInputs, Usage } from '@corrigenda/contracts'
import { toOneLine } from '@corrigenda/git/text'
import { cleanBody } from '../tools/clean-body.ts'
import { listSourcesRead, type SourceReads } from '../tools/source-reads.ts'
import type { AgentDeps, AgentResult } from './agent-input.ts'

const MAX_REASON = 20_000

/** Returns the result of an accepted `finish` call, whose input has already been validated. */
export async function toFinished(
  deps: AgentDeps,
  accepted: ToolInputs['finish'],
  done: { model: string; usage: Usage; reads: SourceReads; sourcesShown: readonly string[] },
): Promise<AgentResult> {
  const { outcome } = accepted
  const changed = outcome === 'changed'
  const checks: CheckResult[] = changed ? await deps.checkDocs({ workspace: deps.workspace, scope: 'changed' }) : []
  const title = (accepted.title ?? '').trim()
  return {
    kind: 'finished',
    outcome,
    title: changed && title !== '' ? title : null,
    body: changed ? cleanBody(accepted.body ?? '') : '',
    reason: (accepted.reason ?? '').trim().slice(0, MAX_REASON).toWellFormed(),
    checks,
    evidence: changed ? (accepted.evidence ?? []).map((entry) => ({ ...entry, note: toOneLine(entry.note) })) : [],
    sourcesRead: listSourcesRead(done.reads),
    ...done,
  }
}
