import { expect, it } from 'vitest'
import { buildRandom } from '../measure/build-random.ts'
import { buildSite } from '../model/build-site.ts'
import type { SiteLayout } from '../model/doc-site.ts'
import { buildTree } from '../test-support/build-tree.ts'
import { ALL_DEFECTS } from './all-defects.ts'

const FENCE = '```'
const PAGE = `---
title: Guide
---

# Guide

See [setup](./setup.mdx#first-steps), [here](#second-part), [the setup](/setup) and [ref].

![Logo](./logo.png)

<img src="/logo.svg" />

## Second part

${FENCE}js
[not a link](./nowhere.mdx)
${FENCE}

:::tip
Words.
:::

| A | B |
| --- | --- |
| 1 | 2 |

[ref]: ./setup.mdx
`
const FILES = {
  'docs.json':
    '{\n  "navigation": {\n    "pages": [\n      "guide",\n      "setup"\n    ]\n  },\n  "redirects": [\n    { "source": "/old", "destination": "/setup" }\n  ]\n}\n',
  'guide.mdx': PAGE,
  'setup.mdx':
    '---\ntitle: Setup\n---\n\nimport Logo from "/logo.svg"\n\n## First steps\n\nBack to [the guide](./guide.mdx).\n',
  'logo.png': '',
  'logo.svg': '',
}
const LAYOUT: SiteLayout = { framework: 'mintlify', content: [''] }

function inject(seed: number) {
  const site = buildSite(buildTree(FILES), LAYOUT)
  return ALL_DEFECTS.flatMap((kind) => {
    if (kind.frameworks !== undefined && !kind.frameworks.includes(LAYOUT.framework)) return []
    return kind.list(site, buildRandom(seed)).flatMap((place) => {
      const edits = place.build()
      return edits === null ? [] : [{ kind: kind.id, where: place.where, edits }]
    })
  })
}

it('names every kind once', () => {
  expect(new Set(ALL_DEFECTS.map(({ id }) => id)).size).toBe(ALL_DEFECTS.length)
})

it('injects the kinds that a site allows, each as a real change', () => {
  const defects = inject(1)
  const kinds = new Set(defects.map(({ kind }) => kind))
  const absent = ALL_DEFECTS.map(({ id }) => id).filter((id) => !kinds.has(id))
  // Kinds of other frameworks and file formats.
  expect(absent).toEqual(
    [
      'front-link',
      'nav-indentation',
      'include-missing',
      'import-code',
      'import-removed',
      'import-name',
      'vue-attribute',
      'vue-inline-code',
      'admonition-open',
      'vue-unclosed',
      'vue-expression',
      'title-missing',
      'id-changed',
    ].sort((a, b) => ALL_DEFECTS.findIndex(({ id }) => id === a) - ALL_DEFECTS.findIndex(({ id }) => id === b)),
  )
  for (const { edits } of defects)
    for (const { path, text } of edits) expect(text).not.toBe(FILES[path as keyof typeof FILES] ?? '')
})

it('depends only on the seed', () => {
  expect(inject(7)).toEqual(inject(7))
  expect(inject(7)).not.toEqual(inject(8))
})

it('ignores links in code', () => {
  expect(inject(1).filter(({ where }) => where.includes('nowhere.mdx'))).toEqual([])
})

it('breaks a link so that it leads nowhere', () => {
  const site = buildSite(buildTree(FILES), LAYOUT)
  expect(site.resolve('guide.mdx', './setup.mdx')?.file).toBe('setup.mdx')
  expect(site.resolve('guide.mdx', '/setup')?.file).toBe('setup.mdx')
  const broken = inject(1).filter(({ kind }) => kind === 'link-relative' || kind === 'link-absolute')
  expect(broken.length).toBeGreaterThan(3)
  for (const { edits } of broken) expect(edits[0]?.text).toMatch(/-nowhere/)
})
