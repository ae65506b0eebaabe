import { matchRenames } from '@corrigenda/site/checks'
import { verifyChange } from '@corrigenda/site/move'
import { findViolations } from '../tools/find-violations.ts'
import type { AgentDeps } from './agent-input.ts'

export interface FinishedChange {
  readonly title: string | null
  readonly body: string
}

/** The reason why a finished change must not be published. */
export interface FinishedFault {
  readonly code: 'policy_violation' | 'checks_failed'
  readonly message: string
}

/**
 * Verifies a finished change again before it is published: the policy, and the sites compared with
 * the base commit. Reads only the work tree, so the result does not depend on the transcript.
 * Returns null if the change can be published.
 */
export async function verifyFinished(
  deps: Pick<AgentDeps, 'workspace' | 'policy' | 'knownSecrets' | 'pages'>,
  { title, body }: FinishedChange,
): Promise<FinishedFault | null> {
  const { workspace, policy, knownSecrets = [] } = deps
  const violations = await findViolations({ workspace, policy, knownSecrets }, title, body)
  const join = (rows: readonly string[]) => rows.slice(0, 10).join(' ')
  if (violations.length > 0) {
    const rows = violations.map(({ message }) => message)
    return { code: 'policy_violation', message: `The change violates this project's policy. ${join(rows)}` }
  }
  const { damage } = await verifyChange(workspace, matchRenames(await workspace.changes()), deps.pages)
  return damage.length === 0
    ? null
    : { code: 'checks_failed', message: `The change would damage the site. ${join(damage)}` }
}
