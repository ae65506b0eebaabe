import { matchRenames } from '@corrigenda/site/checks'
import { findNewCode } from '@corrigenda/site/executable'
import { readStringTest } from '@corrigenda/site/move'
import { buildSkillTest } from '../policy/build-skill-test.ts'
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
  const isSkill = buildSkillTest(base)
  const skills = policy.allowsCode('agent-instructions') ? [] : changes.filter(({ path }) => isSkill(path))
  const secrets = findSecrets({ changes, title, body, knownSecrets: context.knownSecrets })
  const ofSkills = skills.map(({ path }): PolicyViolation => {
    const message = `${JSON.stringify(path)} is part of a skill. The settings of this project do not allow changes to agent instructions.`
    return { code: 'path_not_allowed', path, message }
  })
  const violations = [...checkPolicy(changes, policy, entries, base), ...ofSkills]
  // A guarded file is compared more strictly, and a file that is too large is not read.
  const isTooLarge = violations.some(({ code }) => code === 'file_too_large')
  const code = isTooLarge
    ? []
    : toCodeViolations(await findNewCode(workspace, matchRenames(changes), policy.isReadable), policy)
  // Texts are compared with the pages of the sites only if this may allow the change.
  if (!violations.some((one) => one.code === 'config_changed')) return [...violations, ...code, ...secrets]
  const exact = checkPolicy(changes, policy, entries, base, await readStringTest(workspace))
  return [...exact, ...ofSkills, ...code, ...secrets]
}
