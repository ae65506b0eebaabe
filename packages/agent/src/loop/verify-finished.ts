import type { CheckResult, Evidence, ToolInputs, Usage } from '@corrigenda/contracts'
import { toOneLine } from '@corrigenda/git/text'
import { matchRenames } from '@corrigenda/site/checks'
import { verifyChange } from '@corrigenda/site/move'
import { checkEvidence } from '../tools/check-evidence.ts'
import { cleanBody } from '../tools/clean-body.ts'
import { findSourceLeaks } from '../tools/find-source-leaks.ts'
import { findViolations } from '../tools/find-violations.ts'
import { listSourcesRead, type SourceReads } from '../tools/source-reads.ts'
import type { AgentDeps, AgentResult } from './agent-input.ts'
import { describeLeaks } from './describe-stop.ts'
import { restrictReading } from './restrict-reading.ts'

interface FinishedChange {
  readonly title: string | null
  readonly body: string
  readonly evidence: readonly Evidence[]
  /** What the run has read of its sources. */
  readonly reads: SourceReads
}

/** The reason why a finished change must not be published. */
interface FinishedFault {
  readonly code: 'policy_violation' | 'checks_failed' | 'source_leak'
  readonly message: string
}

/**
 * Verifies a finished change again before it is published: the policy, private text, the evidence,
 * and the sites compared with the base commit. Returns null if the change can be published.
 */
export async function verifyFinished(
  deps: Pick<AgentDeps, 'workspace' | 'whole' | 'policy' | 'knownSecrets' | 'pages' | 'checkDocs' | 'sources'>,
  { title, body, evidence, reads }: FinishedChange,
): Promise<FinishedFault | null> {
  const { workspace, policy, knownSecrets = [] } = deps
  const violations = await findViolations(
    { workspace, policy, knownSecrets },
    title,
    [body, ...evidence.flatMap(({ path, note }) => [path, note])].join('\n'),
  )
  const join = (rows: readonly string[]) => rows.slice(0, 10).join(' ')
  if (violations.length > 0) {
    const rows = violations.map(({ message }) => message)
    return { code: 'policy_violation', message: `The change violates this project's policy. ${join(rows)}` }
  }
  const { sources = [] } = deps
  const leaks = await findSourceLeaks({ repository: deps.whole ?? workspace, sources, title, body, evidence, reads })
  if (leaks.length > 0) return { code: 'source_leak', message: describeLeaks(leaks) }
  const faults = await checkEvidence(restrictReading(deps), evidence, reads)
  if (faults.length > 0) return { code: 'checks_failed', message: `The evidence is not valid. ${join(faults)}` }
  const { damage } = await verifyChange(workspace, matchRenames(await workspace.changes()), deps.pages)
  return damage.length === 0
    ? null
    : { code: 'checks_failed', message: `The change would damage the site. ${join(damage)}` }
}

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
