import type { CodeKind } from '@corrigenda/contracts'
import type { Workspace, WorkspaceEntry } from '@corrigenda/git/workspace'
import { matchRenames } from '@corrigenda/site/checks'
import { findNewCode, type NewCode } from '@corrigenda/site/executable'
import type { PolicyViolation } from './check-policy.ts'
import { findCodeFile } from './default-paths.ts'
import type { PathPolicy } from './path-policy.ts'

/**
 * Returns a test for files of a skill: those in the folder of a `SKILL.md` of the base commit, which
 * instructs coding agents to read or run them.
 */
export function buildSkillTest(base: readonly WorkspaceEntry[]): (path: string) => boolean {
  const folders = base.flatMap(({ path }) => {
    const folder = /^(.*\/)skill\.md$/i.exec(path)?.[1]
    return folder === undefined ? [] : [folder.toLowerCase()]
  })
  return (path) => folders.some((folder) => path.normalize('NFKC').toLowerCase().startsWith(folder))
}

/** Names a kind of executable content in a sentence. */
export const CODE_WORDS: Readonly<Record<CodeKind, string>> = {
  'mdx-code': 'an import, an export or an expression that is not a literal',
  'vue-code': 'a script, an expression or a directive that is not a literal',
  'front-matter-code': 'code in its front matter',
  'yaml-tags': 'a YAML tag that is not a plain type',
  'build-settings': 'a build setting',
  directives: 'a directive that runs code or inserts unprocessed text',
  includes: 'an include of a file outside the documentation',
  'dependency-manifests': 'a dependency',
  'agent-instructions': 'instructions for coding agents',
}

/** Returns a violation for each file and kind of new code that the project does not allow. */
export function toCodeViolations(found: readonly NewCode[], policy: PathPolicy): PolicyViolation[] {
  const reported = new Set<string>()
  return found.flatMap(({ kind, path, line }): PolicyViolation[] => {
    const key = `${kind} ${path}`
    if (policy.allowsCode(kind) || reported.has(key)) return []
    reported.add(key)
    const message = `Line ${line} of ${JSON.stringify(path)} adds ${CODE_WORDS[kind]}. The settings of this project do not allow it, because it runs or reads files when the documentation is built.`
    return [{ code: 'code_added', path, message }]
  })
}

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
