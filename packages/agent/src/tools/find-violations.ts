import { readStringTest } from '@corrigenda/site/move'
import { checkPolicy, type PolicyViolation } from '../policy/check-policy.ts'
import { findSecrets } from '../policy/find-secrets.ts'
import type { ToolContext } from './tool.ts'

/**
 * Returns the policy violations in a finished change, including credentials in the change or its
 * description.
 */
export async function findViolations(
  context: Pick<ToolContext, 'workspace' | 'policy' | 'knownSecrets'>,
  title: string | null,
  body: string,
): Promise<PolicyViolation[]> {
  const { workspace, policy } = context
  const [changes, entries, base] = await Promise.all([workspace.changes(), workspace.list(), workspace.listBase()])
  const secrets = findSecrets({ changes, title, body, knownSecrets: context.knownSecrets })
  const violations = checkPolicy(changes, policy, entries, base)
  // Texts are compared with the pages of the sites only if this may allow the change.
  if (!violations.some(({ code }) => code === 'config_changed')) return [...violations, ...secrets]
  return [...checkPolicy(changes, policy, entries, base, await readStringTest(workspace)), ...secrets]
}
