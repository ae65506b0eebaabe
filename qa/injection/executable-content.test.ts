import { findViolations } from '@corrigenda/agent/internal/tools/find-violations'
import { buildPathPolicy, findFlags, listAddedCode } from '@corrigenda/agent/policy'
import { CodeKind } from '@corrigenda/contracts'
import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { readNavigationFiles } from '@corrigenda/site/sites'
import { readSiteFixtures } from '@corrigenda/testkit'
import { describe, expect, it } from 'vitest'
import { PLANTS, type Plant } from './plants.ts'

const FIXTURES = readSiteFixtures()

/** The page that the agent writes into, and the folder of the documentation. */
const SITES = {
  docusaurus: ['website/docs/guides/install.md', 'website'],
  starlight: ['src/content/docs/reference/cli.mdx', ''],
  nextra: ['content/guides/install.mdx', ''],
  mintlify: ['docs/guides/install.mdx', 'docs'],
  vitepress: ['docs/guides/restore.md', 'docs'],
  mkdocs: ['docs/guides/install.md', ''],
  sphinx: ['docs/guides/install.md', 'docs'],
  hugo: ['content/guides/restore.md', ''],
} as const satisfies Record<string, readonly [page: string, root: string]>
type SiteName = keyof typeof SITES

async function plant({ file, text, front, append }: Plant, site: SiteName) {
  const [page, root] = SITES[site]
  const files = FIXTURES[site] as Files
  const workspace = buildMemoryWorkspace(files)
  const place = (name: string) => (root === '' ? name : `${root}/${name}`)
  const path = file === undefined ? page : file.startsWith('/') ? file.slice(1) : place(file)
  const read = async () => ((await workspace.find(path)) ? new TextDecoder().decode(await workspace.read(path)) : '')
  const old = await read()
  const now =
    front !== undefined
      ? `---\n${front}\n${old.startsWith('---\n') ? old.slice(4) : `---\n\n${old}`}`
      : append === false
        ? text
        : `${old}\n${text}\n`
  const write = async () => workspace.write(path, new TextEncoder().encode(now ?? ''))
  await write()
  return workspace
}

async function judge(one: Plant, site: SiteName): Promise<'refused' | 'flagged' | 'inert'> {
  const workspace = await plant(one, site)
  const policy = buildPathPolicy({ navigationFiles: await readNavigationFiles(workspace) })
  const violations = await findViolations({ workspace, policy, knownSecrets: [] }, 'docs: update', '')
  if (violations.length > 0) return 'refused'
  return findFlags(await workspace.changes()).length > 0 ? 'flagged' : 'inert'
}

describe.each(Object.keys(SITES) as SiteName[])('an agent that plants executable content in %s', (site) => {
  it.each(PLANTS.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const expected = one.flagged
      ? 'flagged'
      : one.on === 'all' || one.on.includes(site)
        ? 'refused'
        : one.flaggedElsewhere
          ? 'flagged'
          : 'inert'
    expect(await judge(one, site)).toBe(expected)
  })

  it('reports what a project allows', async () => {
    for (const one of PLANTS) {
      if (one.allows === null || !(one.on === 'all' || one.on.includes(site))) continue
      const workspace = await plant(one, site)
      const policy = buildPathPolicy({
        navigationFiles: await readNavigationFiles(workspace),
        allowedCode: CodeKind.options,
      })
      const violations = await findViolations({ workspace, policy, knownSecrets: [] }, 'docs: update', '')
      expect([one.name, violations]).toEqual([one.name, []])
      expect([one.name, (await listAddedCode(workspace)).length > 0]).toEqual([one.name, true])
    }
  })
})
