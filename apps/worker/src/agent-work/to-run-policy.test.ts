import { checkPolicy } from '@corrigenda/agent/internal/policy/check-policy'
import { describeLimits } from '@corrigenda/agent/internal/policy/path-policy'
import { buildPathPolicy } from '@corrigenda/agent/policy'
import { DEFAULT_PROJECT_BUDGETS, DEFAULT_PROJECT_POLICY, type ProjectPolicy } from '@corrigenda/contracts'
import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { describe, expect, it } from 'vitest'
import { toRunBudgets, toRunPolicy } from './to-run-policy.ts'

const settings = (policy: Partial<ProjectPolicy>) => ({
  budgets: DEFAULT_PROJECT_BUDGETS,
  policy: { ...DEFAULT_PROJECT_POLICY, ...policy },
})
const may = (policy: Partial<ProjectPolicy>, path: string) =>
  toRunPolicy(settings(policy)).explain(path, 'write') === null

describe("a project's write policy", () => {
  it.each<[string[], string, boolean]>([
    [['docs/**'], 'docs/a.md', true],
    [['docs/**'], 'docs/deep/a.mdx', true],
    [['docs/**'], 'Docs/A.md', true],
    [['docs/**'], 'index.md', false],
    // A folder pattern narrows the policy. It does not allow files other than pages.
    [['docs/**'], 'docs/conf.py', false],
    [['docs/**'], 'docs/build.sh', false],
    [['docs/*'], 'docs/deep/a.md', false],
    [['**'], 'src/index.ts', false],
    [['**/*'], 'src/index.ts', false],
    [['{docs/**,api/**/*.yaml}'], 'docs/conf.py', false],
    // A pattern with a file name or extension allows exactly the matching files.
    [['snippets/**/*.yaml'], 'snippets/a/b.yaml', true],
    [['snippets/**/*.yaml'], 'snippets/a/b.yml', false],
    [['snippets/**/*.yaml'], 'docs/a.md', false],
    [['docs/**', 'site/*.{html,css}'], 'site/a.css', true],
    [['docs/**', 'site/*.{html,css}'], 'docs/a.md', true],
    [['docs/Caddyfile'], 'docs/Caddyfile', true],
  ])('with writable paths %j, allows changes to %s: %s', (writable, path, allowed) => {
    expect(may({ writable }, path)).toBe(allowed)
  })

  it.each([
    '.github/workflows/ci.yml',
    '.gitattributes',
    '.gitmodules',
    '.git/config',
    'docs/.hidden.md',
    'AGENTS.md',
    'docs/CLAUDE.md',
    'package.json',
    'package-lock.json',
    'pnpm-lock.yaml',
    'yarn.lock',
    'CODEOWNERS',
  ])('protects %s regardless of the project settings', (path) => {
    const writable = ['**', '**/*', path, `**/${path.split('/').at(-1)}`, '.github/**', '**/*.{md,yml,yaml,json,lock}']
    expect(may({ writable }, path)).toBe(false)
  })

  it('rejects a forbidden path that also matches the writable paths', () => {
    const policy = { writable: ['docs/**', 'docs/**/*.yaml'], forbidden: ['docs/{de,fr}/**'] }
    expect(may(policy, 'docs/a.md')).toBe(true)
    expect(may(policy, 'docs/de/a.md')).toBe(false)
    expect(may(policy, 'docs/FR/x.yaml')).toBe(false)
  })

  it('requires readable paths of the project and the repository, also for writing', () => {
    const files = [{ path: '.corrigenda.yml', blob: 'b', policy: { readable: ['docs/**', 'internal/**'] } }]
    const facts = { files, locales: { toTranslation: () => null } }
    const policy = toRunPolicy(settings({ readable: ['docs/**', 'api/**'] }), facts)
    const read = ['docs/a.md', 'Docs/conf.py', 'api/a.md', 'internal/a.md', 'README.md']
    expect(read.filter(policy.isReadable)).toEqual(['docs/a.md', 'Docs/conf.py'])
    expect(policy.explain('docs/a.md', 'write')).toBeNull()
    expect(policy.explain('api/a.md', 'write')).toMatch(/cannot be read or changed/)
    expect(['src/a.ts', '.env'].filter(toRunPolicy(settings({})).isReadable)).toEqual(['src/a.ts', '.env'])
  })

  it('allows moving images within writable folders but not deleting images elsewhere', () => {
    const policy = toRunPolicy(settings({ writable: ['docs/**'] }))
    expect(policy.explain('docs/a.png', 'move')).toBeNull()
    expect(policy.explain('assets/a.png', 'delete')).not.toBeNull()
  })

  it('never allows changes to an executable file that is not a page', () => {
    const text = (data: string) => Buffer.from(data)
    const change = (path: string): WorkspaceChange => ({
      path,
      kind: 'modified',
      before: text('a\n'),
      after: text('b\n'),
    })
    const entry = (path: string) => ({ path, executable: true, kind: 'file' as const })
    const policy = toRunPolicy(settings({ writable: ['**/*.{md,py}'] }))
    const codes = (path: string) =>
      checkPolicy([change(path)], policy, [entry(path)], [entry(path)]).map((violation) => violation.code)
    expect(codes('docs/run.py')).toEqual(['executable_changed'])
    expect(codes('docs/page.md')).toEqual([])
  })
})

it('only narrows limits and describes them to the model', () => {
  const policy = toRunPolicy(settings({ maxFiles: 2, maxLines: 9, writable: ['docs/**'], forbidden: ['docs/de/**'] }))
  expect([policy.maxFiles, policy.maxChangedLines]).toEqual([2, 9])
  expect(describeLimits(policy)).toContain('at most 2 files and 9 changed lines')
  expect(describeLimits(policy)).toContain('only paths that this project allows (docs/**)')
  expect(describeLimits(policy)).toContain('no paths that this project excludes (docs/de/**)')
  expect(describeLimits(toRunPolicy(settings({})))).toBe(describeLimits(buildPathPolicy()))
  expect(policy.explain('a.md', 'write')).toContain('This project allows: docs/**.')
})

it('uses the tighter of the service and project budgets', () => {
  const service = { maxTurns: 40, maxInputTokens: 2000, maxOutputTokens: 600, maxCostUsd: 2, maxSeconds: 1200 }
  const project = { maxTurns: 50, maxInputTokens: 1000, maxOutputTokens: null, maxCostUsd: 0.5, maxSeconds: 10 }
  expect(toRunBudgets(service, { ...settings({}), budgets: project })).toEqual({
    maxTurns: 40,
    maxInputTokens: 1000,
    maxOutputTokens: 600,
    maxCostUsd: 0.5,
    maxSeconds: 10,
  })
})
