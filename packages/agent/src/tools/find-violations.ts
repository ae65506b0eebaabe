import { matchRenames } from '@corrigenda/site/checks'
import { findNewCode } from '@corrigenda/site/executable'
import { readStringTest } from '@corrigenda/site/move'
import { checkPolicy, type PolicyViolation } from '../policy/check-policy.ts'
import { toCodeViolations } from '../policy/code-violations.ts'
import { findSecrets } from '../policy/find-secrets.ts'
import type { ToolContext } from './tool.ts'

/**
 * Returns the policy violations in a finished change, including executable content that the project
 * does not allow, and credentials in the change or its description.
 * @param context.workspace all files of the repository
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
  // A guarded file is compared more strictly, and a file that is too large is not read.
  const isTooLarge = violations.some(({ code }) => code === 'file_too_large')
  const code = isTooLarge
    ? []
    : toCodeViolations(await findNewCode(workspace, matchRenames(changes), policy.isReadable), policy)
  // Texts are compared with the pages of the sites only if this may allow the change.
  if (!violations.some((one) => one.code === 'config_changed')) return [...violations, ...code, ...secrets]
  return [...checkPolicy(changes, policy, entries, base, await readStringTest(workspace)), ...code, ...secrets]
}
