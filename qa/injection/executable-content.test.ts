import { join } from 'node:path'
import { findViolations } from '@corrigenda/agent/internal/tools/find-violations'
import { buildPathPolicy, findFlags } from '@corrigenda/agent/policy'
import { CodeKind } from '@corrigenda/contracts'
import { toRunSettings } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { readNavigationFiles } from '@corrigenda/site/sites'
import { readSiteFixtures } from '@corrigenda/testkit'
import { reviewChange } from '@corrigenda/worker/internal/agent-work/do-agent-work'
import { CredentialsError } from '@corrigenda/worker/internal/git-host/credentials'
import { describeChange } from '@corrigenda/worker/internal/run/describe-change'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { QA_FOLDER, readYaml } from '../read-yaml.ts'

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

const MDX = ['docusaurus', 'starlight', 'nextra', 'mintlify']
const Plant = z
  .strictObject({
    name: z.string(),
    file: z.string().optional(),
    text: z.string().default(''),
    front: z.string().optional(),
    append: z.boolean().default(true),
    on: z.array(z.enum(['all', 'mdx', ...Object.keys(SITES)])).default([]),
    flaggedElsewhere: z.boolean().default(false),
    flagged: z.boolean().default(false),
    allowed: z.boolean().default(true),
  })
  .transform(({ on, ...plant }) => {
    const sites = on.flatMap((name) => (name === 'all' ? Object.keys(SITES) : name === 'mdx' ? MDX : [name]))
    return { ...plant, on: sites }
  })
type Plant = z.infer<typeof Plant>
const PLANTS = readYaml(join(QA_FOLDER, 'injection/plants.yaml'), z.array(Plant))

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
      : !append
        ? text
        : `${old}\n${text}\n`
  const write = async () => workspace.write(path, new TextEncoder().encode(now ?? ''))
  await write()
  return workspace
}

/** Input of the text of a pull request of a project that allows all kinds, on an unknown host. */
async function toDescription(workspace: MemoryWorkspace): Promise<Parameters<typeof describeChange>> {
  const unknown = async () => {
    throw new CredentialsError('credential_missing', 'There is no credential.')
  }
  const log = openLog({ level: 'silent', secrets: [] })
  const result = {
    kind: 'finished',
    outcome: 'changed',
    title: 'docs: update',
    body: 'Words.',
    reason: '',
    model: 'm',
    checks: [],
    evidence: [],
    sourcesRead: [],
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null, turns: 1 },
  }
  const claim = { jobId: 'job_1', projectId: 'prj_1', prompt: 'Update.', options: {}, earlier: null, seq: 1 }
  const settings = { policy: { allowedCode: CodeKind.options } }
  const repository = { url: 'https://git.test/acme/docs' }
  return [
    { publicUrl: null, secrets: [], credentials: { findIdentity: unknown }, openGitHost: unknown, log },
    {
      claim: { ...claim, settings },
      policyFiles: [],
      repository,
      sources: [],
      signal: new AbortController().signal,
    },
    { result, review: await reviewChange(workspace, toRunSettings(settings)), instructionsUsed: [] },
  ] as unknown as Parameters<typeof describeChange>
}

async function judge(one: Plant, site: SiteName): Promise<'refused' | 'flagged' | 'inert'> {
  const workspace = await plant(one, site)
  const policy = buildPathPolicy({ navigationFiles: await readNavigationFiles(workspace) })
  const violations = await findViolations({ workspace, policy, knownSecrets: [] }, 'docs: update', '')
  if (violations.length > 0) return 'refused'
  return findFlags(await workspace.changes()).length > 0 ? 'flagged' : 'inert'
}

it('covers at least 40 kinds of content on eight frameworks', () => {
  expect(new Set(PLANTS.map(({ name }) => name)).size).toBe(PLANTS.length)
  expect(PLANTS.filter(({ flagged }) => !flagged).length).toBeGreaterThanOrEqual(40)
  expect(Object.keys(SITES)).toHaveLength(8)
})

/** Returns the changes that a project can allow, by site. The short form has each one on one of its sites. */
function listAllowed(site: SiteName): readonly Plant[] {
  return PLANTS.filter((one, index) => {
    const sites = Object.keys(SITES).filter((name) => one.on.includes(name))
    const chosen = process.env.QA_SHORT ? [sites[index % sites.length]] : sites
    return one.allowed && chosen.includes(site)
  })
}

describe.each(Object.keys(SITES) as SiteName[])('an agent that plants executable content in %s', (site) => {
  it.each(PLANTS.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const expected = one.flagged
      ? 'flagged'
      : one.on.includes(site)
        ? 'refused'
        : one.flaggedElsewhere
          ? 'flagged'
          : 'inert'
    expect(await judge(one, site)).toBe(expected)
  })

  it('is listed first in the pull request, which is a draft, if the project allows its kind', async () => {
    const allowed = listAllowed(site)
    expect(allowed.length).toBeGreaterThan(0)
    for (const one of allowed) {
      const workspace = await plant(one, site)
      const policy = buildPathPolicy({
        navigationFiles: await readNavigationFiles(workspace),
        allowedCode: CodeKind.options,
      })
      const violations = await findViolations({ workspace, policy, knownSecrets: [] }, 'docs: update', '')
      expect([one.name, violations]).toEqual([one.name, []])
      const { body, draft } = await describeChange(...(await toDescription(workspace)))
      const [first = ''] = body.split('\n## Files\n')
      const paths = (await workspace.changes()).map(({ path }) => path)
      expect([one.name, draft, first.startsWith('## Executable content\n')]).toEqual([one.name, true, true])
      expect([one.name, paths.every((path) => first.includes(path))]).toEqual([one.name, true])
    }
  })
})
