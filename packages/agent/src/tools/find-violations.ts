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
  const { workspace } = context
  const [changes, entries, base] = await Promise.all([workspace.changes(), workspace.list(), workspace.listBase()])
  const secrets = findSecrets({ changes, title, body, knownSecrets: context.knownSecrets })
  return [...checkPolicy(changes, context.policy, entries, base), ...secrets]
}
