import type { Workspace } from '@corrigenda/git/workspace'
import { matchRenames } from '@corrigenda/site/checks'
import { findNewCode, type NewCode } from '@corrigenda/site/executable'
import { buildSkillTest } from './build-skill-test.ts'
import { findCodeFile } from './find-code-file.ts'

/** Returns the executable content that a change adds, for the reviewer, in file order. */
export async function listAddedCode(workspace: Workspace): Promise<NewCode[]> {
  const changes = await workspace.changes()
  const isSkill = buildSkillTest(await workspace.listBase())
  const found = await findNewCode(workspace, matchRenames(changes))
  return changes.flatMap(({ path, after }) => {
    const kind = after === null ? null : isSkill(path) ? 'agent-instructions' : findCodeFile(path)
    return [...(kind === null ? [] : [{ kind, path, line: 1 }]), ...found.filter((code) => code.path === path)]
  })
}
