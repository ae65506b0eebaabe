import { describe, expect, it } from 'vitest'
import type { SiteSource } from '../config/config-files.ts'
import { findSite } from '../frameworks/find-site.ts'
import { toDialect } from '../links/to-dialect.ts'
import { readSites } from './read-sites.ts'

const toSource = (files: Readonly<Record<string, string>>): SiteSource => ({
  paths: Object.keys(files).sort(),
  read: async (path) => (files[path] === undefined ? null : new TextEncoder().encode(files[path])),
})

describe('the dialect', () => {
  it.each<[path: string, files: string[], dialect: string | null]>([
    ['a.mdx', [], 'mdx'],
    ['a.md', [], 'plain'],
    ['a.md', ['docs.json'], 'mdx+math'],
    ['README.md', ['docs.json'], 'plain'],
    ['help/support.md', ['docs.json'], 'mdx+math'],
    ['docs/a.md', ['docusaurus.config.js'], 'mdx-comments'],
    ['a.mdx', ['docusaurus.config.js'], 'mdx-comments'],
    ['a.md', ['docusaurus.config.js'], 'plain'],
    ['a.md', ['mkdocs.yml'], 'plain'],
    ['other/a.md', ['docs/docs.json'], 'plain'],
    ['a.rst', [], null],
  ])('of %s next to %j is %s', async (path, names, dialect) => {
    const text = (name: string) =>
      name.endsWith('.json')
        ? '{"navigation":{"pages":["a"]}}'
        : name.endsWith('.js')
          ? "module.exports = { presets: [['classic', {}]] }"
          : 'a: b\n'
    const sites = await readSites(
      toSource(Object.fromEntries([...names.map((name) => [name, text(name)]), [path, 'x\n']])),
    )
    expect(toDialect(path, findSite(sites, path))).toBe(dialect)
  })
})

describe('dialects that depend on the version or the configuration', () => {
  const dialects = async (files: Record<string, string>, path: string) => {
    const sites = await readSites(toSource({ ...files, [path]: 'x\n' }))
    return toDialect(path, findSite(sites, path))
  }
  const config = (markdown = '') => `module.exports = { ${markdown} presets: [['classic', {}]] }`
  const needs = (range: string) => JSON.stringify({ dependencies: { '@docusaurus/core': range } })
  it.each<[range: string, dialect: string]>([
    ['2.4.3', 'plain'],
    ['^2.0.0-beta.4', 'plain'],
    ['~3.10.1', 'mdx-comments'],
    ['^3', 'mdx-comments'],
    ['latest', 'mdx-comments'],
    ['workspace:*', 'mdx-comments'],
  ])('Docusaurus %s: %s', async (range, dialect) => {
    const files = { 'website/docusaurus.config.js': config(), 'website/package.json': needs(range) }
    expect(await dialects(files, 'website/docs/a.mdx')).toBe(dialect)
    expect(await dialects(files, 'website/docs/a.md')).toBe(dialect)
  })
  it('the nearest package.json with the dependency applies', async () => {
    const files = {
      'website/docusaurus.config.js': config(),
      'website/package.json': '{}',
      'package.json': needs('2.0.0'),
    }
    expect(await dialects(files, 'website/docs/a.md')).toBe('plain')
  })
  it.each<[format: string, mdx: string, md: string]>([
    ['detect', 'mdx-comments', 'plain'],
    ['md', 'plain', 'plain'],
    ['mdx', 'mdx-comments', 'mdx-comments'],
  ])('Docusaurus 3 with the format %s', async (format, mdx, md) => {
    const files = {
      'docusaurus.config.js': config(`markdown: { format: '${format}' },`),
      'package.json': needs('^3.1.0'),
    }
    expect(await dialects(files, 'docs/a.mdx')).toBe(mdx)
    expect(await dialects(files, 'docs/a.md')).toBe(md)
  })
  it('Nextra compiles only .mdx files as MDX', async () => {
    expect(await dialects({ 'content/_meta.js': 'export default { a: "A" }' }, 'content/a.md')).toBe('plain')
    expect(await dialects({ 'content/_meta.js': 'export default { a: "A" }' }, 'content/a.mdx')).toBe('mdx')
  })
})
