import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { findContent, findSite } from '../frameworks/find-site.ts'
import { toDialect } from '../links/to-dialect.ts'
import { judgeRepository } from '../test-support/judge-repository.ts'

const judge = (files: Readonly<Record<string, string>>) => judgeRepository(buildMemoryWorkspace(files))
const BROKEN = 'Text <Card {\n'

describe('pages that Mintlify excludes', () => {
  const site = {
    'docs/docs.json': '{"navigation":{"pages":["index"]}}',
    'docs/index.mdx': '# Home\n',
    'docs/.mintignore': '# internal\ninternal/\n*.draft.mdx\n!kept.draft.mdx\n',
  }

  it.each([
    'docs/internal/notes.mdx',
    'docs/a.draft.mdx',
    'docs/.claude/skills/write/SKILL.md',
    'docs/.mintlify/AGENTS.md',
    'docs/sub/CHANGELOG.md',
    'docs/skill.md',
    'docs/skills/x/SKILL.md',
  ])('%s is not part of the site', async (path) => {
    const { wrong, repository } = await judge({ ...site, [path]: BROKEN })
    expect(wrong).toEqual([])
    expect(findSite(repository.sites, path).config).toBeNull()
    expect(repository.sites.map((site) => findContent(site, path))).toEqual([null, null])
    expect(toDialect(path, findSite(repository.sites, path))).toBe('plain')
  })

  it('other pages are part of it', async () => {
    const { wrong } = await judge({ ...site, 'docs/kept.draft.mdx': BROKEN })
    expect(wrong).toEqual(['pages: docs/kept.draft.mdx', 'syntax: docs/kept.draft.mdx'])
  })

  it('links to them are broken', async () => {
    const { wrong } = await judge({
      ...site,
      'docs/index.mdx': '[a](/internal/notes) [b](/guide)\n',
      'docs/internal/notes.mdx': 'x\n',
      'docs/guide.mdx': 'x\n',
    })
    expect(wrong).toEqual(['pages: docs/guide.mdx', 'links: docs/index.mdx /internal/notes'])
  })
})
