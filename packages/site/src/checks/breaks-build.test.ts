import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from './build-checker.ts'
import { formatGrave } from './format-checks.ts'

const mintlify: Files = { 'docs/docs.json': '{"navigation":{"pages":["a"]}}', 'docs/a.mdx': '# A\n' }
const hugo: Files = { 'hugo.toml': 'title = "x"\n', 'content/a.md': '# A\n' }
const mkdocs: Files = { 'mkdocs.yml': 'site_name: x\n', 'docs/a.md': '# A\n' }

describe('an issue prevents the build', () => {
  it.each<[what: string, files: Files, path: string, text: string, isGrave: boolean]>([
    ['if a page of the site is not MDX', mintlify, 'docs/a.mdx', '<Note>\n', true],
    ['but not in a file outside the site', mintlify, '.claude/skills/a.mdx', '<Note>\n', false],
    ['if a page in a repository without a site is not MDX', { 'a.mdx': 'x\n' }, 'a.mdx', '<Note>\n', true],
    ['if an imported file is missing', mintlify, 'docs/a.mdx', "import X from './x.mdx'\n\n<X />\n", true],
    ['if front matter is not YAML', mintlify, 'docs/a.mdx', '---\na: b: c\n---\n', true],
    ['if front matter of Hugo is not YAML', hugo, 'content/a.md', '---\na: b: c\n---\n', true],
    ['but not if a key of Hugo occurs twice', hugo, 'content/a.md', '---\na: 1\na: 2\n---\n', false],
    ['if a key occurs twice elsewhere', mintlify, 'docs/a.mdx', '---\na: 1\na: 2\n---\n', true],
    ['but not in MkDocs, which shows it as text', mkdocs, 'docs/a.md', '---\na: b: c\n---\n', false],
    [
      'but not if the front matter only exceeds a limit',
      mintlify,
      'docs/a.mdx',
      `---\na: ${'x'.repeat(70_000)}\n---\n`,
      false,
    ],
    ['if the navigation does not parse', mintlify, 'docs/docs.json', '{', true],
    ['but not if the navigation is too large to read', mkdocs, 'mkdocs.yml', `a: ${'x'.repeat(300_000)}\n`, false],
    ['but not if a link is broken', mintlify, 'docs/a.mdx', '[x](/nowhere)\n', false],
  ])('%s', async (_, files, path, text, isGrave) => {
    const workspace = buildMemoryWorkspace(files)
    await workspace.write(path, new TextEncoder().encode(text))
    const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
    expect(results.some(({ introduced }) => introduced > 0)).toBe(true)
    expect(formatGrave(results).length > 0).toBe(isGrave)
  })
})
