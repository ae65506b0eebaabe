import { describe, expect, it } from 'vitest'
import { buildPathPolicy } from './path-policy.ts'

const policy = buildPathPolicy()

describe('by default', () => {
  it.each([
    'index.md',
    'guides/start.mdx',
    'a/b/page.markdown',
    'docs/page.rst',
    'book/x.adoc',
    'README.md',
    'CHANGELOG.md',
    'docs.json',
    'docs/docs.json',
    'mint.json',
    'mkdocs.yml',
    'docs/mkdocs.yaml',
    'pages/_meta.json',
    'SUMMARY.md',
    'sidebars.json',
    'fern/docs.yml',
    'toc.yml',
    'docs/llms-full.txt',
    'llms.txt',
    'guides/größe.mdx',
    'GUIDE.MD',
    'skills/index.md',
    'docs/conventions.md',
    'docs/requirements/index.md',
    'docs.yml',
    'a/fern/docs.yaml',
  ])('allows writes to %s', (path) => {
    expect(policy.explain(path, 'write')).toBeNull()
  })

  it.each([
    '.github/workflows/ci.yml',
    '.github/README.md',
    '.GitHub/x.md',
    '.git/hooks/x.md',
    '.gitattributes',
    '.gitmodules',
    '.vitepress/config.md',
    'docs/.vitepress/x.md',
    '.cursorrules',
    '.cursor/rules/a.mdc',
    '.claude/commands/x.md',
    '.mintlify/AGENTS.md',
    'AGENTS.md',
    'docs/agents.md',
    'Claude.md',
    'CLAUDE.local.md',
    'GEMINI.md',
    'docs/rules.mdc',
    'docs/copilot-instructions.md',
    'CODEOWNERS',
    'docs/CodeOwners',
    'package.json',
    'docs/package.json',
    'yarn.lock',
    'package-lock.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'Cargo.lock',
    'bun.lockb',
    'docs/requirements.txt',
    'docs/requirements/docs.txt',
    'docs/requirements/base.in',
    'docs/rtd-requirements.txt',
    'docs/doc-requirements.txt',
    'docs/pip.txt',
    'docs/conda-pins.txt',
    'docs/environment.yml',
    'docs/pyproject.toml',
    'docs/Pipfile',
    'docs/Gemfile',
    'docs/Dockerfile',
    'SKILL.md',
    'skills/x/SKILL.md',
    'QWEN.md',
    'docs/WARP.md',
    'CRUSH.md',
    'CONVENTIONS.md',
    'agents.local.md',
    'docs/constraints-dev.txt',
    'go.sum',
    'node_modules/x/README.md',
    'docs/CMakeLists.txt',
    ' .github/x.md',
    'AGENTS.md.',
    'AGENTS.md ',
    '．github/x.md',
    'ＡGENTS.md',
    'AGE\u200BNTS.md',
    'a\u202Edm.md',
    'a\u0000.md',
    'build.sh',
    'src/index.ts',
    'docusaurus.config.js',
    'sidebars.js',
    '_meta.js',
    'pages/_meta.tsx',
    'notes.txt',
    'docs/notes.txt',
    'doc/pip.txt',
    'ansible/roles/x/tasks/docs.yml',
    'k8s/docs.yml',
    'logo.svg',
  ])('rejects writes to %s', (path) => {
    expect(policy.explain(path, 'write')).toMatch(/\.$/)
  })

  it('allows images to be moved and deleted, but not written', () => {
    expect(policy.explain('img/a.PNG', 'write')).toMatch(/image/)
    expect(policy.explain('img/a.PNG', 'move')).toBeNull()
    expect(policy.explain('img/a.svg', 'delete')).toBeNull()
    expect(policy.explain('.img/a.svg', 'delete')).toMatch(/protected/)
  })

  it('rejects the deletion of other files', () => {
    expect(policy.explain('src/index.ts', 'delete')).toMatch(/not a documentation file/)
    expect(policy.explain('AGENTS.md', 'delete')).toMatch(/protected/)
  })
})

describe('with settings', () => {
  it('the allow setting replaces the default paths but not the protected paths', () => {
    const narrow = buildPathPolicy({ allow: ['site/**'] })
    expect(narrow.explain('site/build.css', 'write')).toBeNull()
    expect(narrow.explain('guides/a.md', 'write')).toMatch(/Allowed paths: site\/\*\*/)
    const wide = buildPathPolicy({ allow: ['**'] })
    for (const path of ['.github/workflows/ci.yml', 'CLAUDE.md', 'package.json', 'a/.env']) {
      expect(wide.explain(path, 'write')).toMatch(/protected/)
    }
    for (const path of [
      'rtd-requirements.txt',
      'constraints.txt',
      'requirements/base.txt',
      'pip.txt',
      'conda-pins.txt',
    ]) {
      expect(wide.explain(`docs/${path}`, 'write')).toMatch(/dependency manifests/)
    }
  })

  it('the deny setting excludes paths, ignoring case', () => {
    const restricted = buildPathPolicy({ deny: ['fr/**', '**/generated/**'] })
    expect(restricted.explain('FR/page.md', 'write')).toMatch(/excluded by/)
    expect(restricted.explain('api/generated/x.mdx', 'delete')).toMatch(/excluded by/)
    expect(restricted.explain('en/page.md', 'write')).toBeNull()
  })
})
