import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { readNavigationFiles } from '@corrigenda/site/sites'
import { buildToolHarness, bytesOf } from './build-tool-harness.ts'

/** New texts by path, or null for a deleted file. */
export type Change = Readonly<Record<string, string | null>>

interface OpenSite {
  /** Runs a tool. Throws if the call is rejected. */
  run(tool: string, input: object): Promise<string>
  /** Returns the new issues as `check file:line`. */
  findNew(): Promise<string[]>
  text(path: string): string
}

/** Opens a small site with the tools and the policy of a job. */
export async function openSite(files: Files, change: Change = {}): Promise<OpenSite> {
  const navigationFiles = await readNavigationFiles(buildMemoryWorkspace(files))
  const { call, workspace } = buildToolHarness(files, { navigationFiles })
  for (const [path, text] of Object.entries(change))
    await (text === null ? workspace.remove(path) : workspace.write(path, bytesOf(text)))
  const run = async (tool: string, input: object) => {
    const { text, isError } = await call(tool, input)
    if (isError) throw new Error(text)
    return text
  }
  return { run, findNew: async () => listIssues(await run('check_docs', {})), text: workspace.text }
}

/** Returns the issues of a site, or the new ones after a change, as `check file:line`. */
export async function findIssues(files: Files, change?: Change): Promise<string[]> {
  const site = await openSite(files, change)
  return change === undefined ? listIssues(await site.run('check_docs', { scope: 'all' })) : await site.findNew()
}

const listIssues = (text: string): string[] =>
  Array.from(text.matchAll(/^(\S+): \[(\w+)(?:, advice)?\] /gm), ([, place, check]) => `${check} ${place}`)
