import { describe, expect, it } from 'vitest'
import { buildSystemPrompt } from './build-system-prompt.ts'
import { detectFramework, toDialect } from './detect-framework.ts'

const detect = (...paths: string[]) =>
  detectFramework(paths.map((path) => ({ path, kind: 'file' as const, executable: false })))

describe('the framework', () => {
  it.each<[name: string, paths: string[], navigation: string[]]>([
    ['mintlify', ['docs/docs.json', 'docs.json', 'a.mdx'], ['docs.json', 'docs/docs.json']],
    ['mintlify', ['mint.json'], ['mint.json']],
    [
      'docusaurus',
      ['website/docusaurus.config.ts', 'website/sidebars.js'],
      ['website/docusaurus.config.ts', 'website/sidebars.js'],
    ],
    ['mkdocs', ['mkdocs.yml', 'docs/index.md'], ['mkdocs.yml']],
    ['vitepress', ['docs/.vitepress/config.mts'], ['docs/.vitepress/config.mts']],
    ['starlight', ['astro.config.mjs'], ['astro.config.mjs']],
    ['fern', ['fern/docs.yml'], ['fern/docs.yml']],
    ['nextra', ['pages/_meta.json'], ['pages/_meta.json']],
    ['mdbook', ['src/SUMMARY.md'], ['src/SUMMARY.md']],
    ['plain', ['README.md', 'node_modules/x/docs.json'], []],
  ])('%s: %j', (name, paths, navigation) => {
    expect(detect(...paths)).toEqual({ name, navigation })
  })
})

describe('the dialect', () => {
  it.each<[path: string, files: string[], dialect: string | null]>([
    ['a.mdx', [], 'mdx'],
    ['a.md', [], 'plain'],
    ['a.md', ['docs.json'], 'mdx'],
    ['README.md', ['docs.json'], 'plain'],
    ['a.md', ['docusaurus.config.js'], 'docusaurus'],
    ['a.mdx', ['docusaurus.config.js'], 'docusaurus'],
    ['CHANGELOG.md', ['docusaurus.config.js'], 'plain'],
    ['a.md', ['mkdocs.yml'], 'plain'],
    ['a.rst', [], null],
  ])('of %s beside %j: %s', (path, files, dialect) => {
    expect(toDialect(path, detect(...files))).toBe(dialect)
  })
})

it('the system prompt is the same bytes for the same repository and holds no date', () => {
  const input = {
    framework: detect('docs.json'),
    limits: 'at most 50 files',
    instructionPaths: ['AGENTS.md'],
    projectInstructions: '',
  }
  expect(buildSystemPrompt(input)).toBe(buildSystemPrompt(structuredClone(input)))
  expect(buildSystemPrompt(input)).toContain('Navigation files: docs.json.')
  expect(buildSystemPrompt(input)).not.toMatch(/20\d\d/)
})
