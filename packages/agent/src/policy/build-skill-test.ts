import type { WorkspaceEntry } from '@corrigenda/git/workspace'

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
