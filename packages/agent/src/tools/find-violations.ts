import type { Workspace, WorkspaceChange } from '@corrigenda/git/workspace'
import { matchRenames } from '@corrigenda/site/checks'
import { findNewCode } from '@corrigenda/site/executable'
import { readStringTest } from '@corrigenda/site/move'
import { checkPolicy, type PolicyViolation } from '../policy/check-policy.ts'
import { buildSkillTest, toCodeViolations } from '../policy/code-violations.ts'
import { findSecrets } from '../policy/find-secrets.ts'
import type { PathPolicy } from '../policy/path-policy.ts'
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

/**
 * Returns the limits that these moves and writes would newly exceed, for the whole change or a
 * single file.
 */
export async function findLimitViolations(
  { workspace, policy }: { readonly workspace: Workspace; readonly policy: PathPolicy },
  moves: ReadonlyMap<string, string>,
  writes: ReadonlyMap<string, Uint8Array>,
): Promise<PolicyViolation[]> {
  const changes = new Map((await workspace.changes()).map((change) => [change.path, change]))
  const before = checkPolicy([...changes.values()], policy)
  const put = async (path: string, after: Uint8Array | null) => {
    const change = toChange(path, await workspace.readBase(path), after)
    if (change === null) changes.delete(path)
    else changes.set(path, change)
  }
  const moved = new Map<string, Uint8Array>()
  for (const [from, to] of moves) moved.set(to, writes.get(from) ?? (await workspace.read(from)))
  for (const from of moves.keys()) await put(from, null)
  for (const [path, bytes] of moved) await put(path, bytes)
  for (const [path, bytes] of writes) if (!moves.has(path)) await put(path, bytes)
  const isLimit = ({ code }: PolicyViolation) => /^(?:too_many_|diff_too_large|file_too_large)/.test(code)
  return checkPolicy([...changes.values()], policy).filter(
    (violation) =>
      isLimit(violation) && !before.some(({ code, path }) => code === violation.code && path === violation.path),
  )
}

function toChange(path: string, before: Uint8Array | null, after: Uint8Array | null): WorkspaceChange | null {
  if (before === null) return after === null ? null : { path, kind: 'added', before, after }
  if (after === null) return { path, kind: 'deleted', before, after }
  return Buffer.compare(before, after) === 0 ? null : { path, kind: 'modified', before, after }
}
