import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { findLocales, readConfiguredLocales, toLocaleName } from './find-locales.ts'
import { buildLocaleRule } from './path-policy.ts'

/** Pages of a repository, and for each path the expected translation language or null. */
const SITES: Record<string, [pages: string[], expected: Record<string, string | null>]> = {
  'English at the root, translations in sibling folders (Mintlify, VitePress)': [
    ['index.mdx', 'guides/start.mdx', 'fr/index.mdx', 'fr/guides/start.mdx', 'es/index.mdx'],
    { 'index.mdx': null, 'fr/index.mdx': 'fr', 'es/new/page.mdx': 'es', 'it/index.mdx': 'it', 'guides/fr.mdx': null },
  ],
  'a folder per language, including English (Starlight, fastapi)': [
    ['docs/en/docs/a.md', 'docs/en/docs/b.md', 'docs/de/docs/a.md', 'docs/zh-hant/docs/a.md', 'docs/missing.md'],
    {
      'docs/en/docs/a.md': null,
      'docs/de/docs/x.md': 'de',
      'docs/zh-hant/docs/a.md': 'zh-hant',
      'docs/missing.md': null,
    },
  ],
  'Docusaurus i18n': [
    ['docs/intro.md', 'i18n/pt-BR/docusaurus-plugin-content-docs/current/intro.md', 'i18n/ja/code.json'],
    {
      'docs/intro.md': null,
      'i18n/pt-BR/docusaurus-plugin-content-docs/current/new.md': 'pt-br',
      'i18n/ja/code.json': 'ja',
      'i18n/ko/new.md': 'ko',
      'i18n/README.md': null,
    },
  ],
  'another language at the root, English as a translation': [
    ['index.md', 'guide/a.md', 'en/index.md', 'en/guide/a.md'],
    { 'index.md': null, 'en/index.md': 'en', 'en/guide/new.md': 'en' },
  ],
  'file name suffixes (MkDocs, Nextra, Hugo)': [
    ['docs/a.md', 'docs/a.de.md', 'docs/b.en.md', 'docs/b.fr.md', 'docs/release.it.md'],
    {
      'docs/a.md': null,
      'docs/a.de.md': 'de',
      'docs/a.it.md': 'it',
      'docs/b.en.md': null,
      'docs/b.fr.md': 'fr',
      'docs/release.it.md': null,
    },
  ],
  'short names that are not languages': [
    [
      'sdk/ts/index.md',
      'sdk/ts/install.md',
      'sdk/cs/index.md',
      'sdk/cs/install.md',
      'api/id/get.md',
      'guides/it/vpn.md',
      'is/a.md',
    ],
    {
      'sdk/ts/index.md': null,
      'sdk/cs/install.md': null,
      'api/id/get.md': null,
      'guides/it/vpn.md': null,
      'is/a.md': null,
    },
  ],
  'names with a region, in any folder': [
    ['a.md'],
    { 'zh-CN/a.md': 'zh-cn', 'docs/pt_BR/a.md': 'pt-br', 'en-US/a.md': 'en-us' },
  ],
}

describe.each(Object.entries(SITES))('%s', (_, [pages, expected]) => {
  it.each(Object.entries(expected))('%s has the language %s', (path, locale) => {
    expect(findLocales(pages).toTranslation(path)).toBe(locale)
  })
})

it('reads the source language and the language folders from the configuration', async () => {
  const config = {
    navigation: { languages: [{ language: 'en' }, { language: 'cn', default: true }, { language: 'id' }] },
  }
  const files = {
    'site/docs.json': JSON.stringify(config),
    'site/id/only.mdx': 'x',
    'site/en/a.mdx': 'x',
    'id/a.mdx': 'x',
  }
  const configured = await readConfiguredLocales(buildMemoryWorkspace({ ...files, 'mint.json': 'broken {' }))
  expect(configured).toEqual([{ root: 'site', languages: ['en', 'cn', 'id'], source: 'cn' }])
  const locales = findLocales(Object.keys(files), configured)
  expect(['site/id/only.mdx', 'site/en/a.mdx', 'id/a.mdx'].map(locales.toTranslation)).toEqual(['id', 'en', null])
})

it('excludes all translations except those into allowed languages', () => {
  const locales = findLocales(['index.md', 'fr/index.md', 'de/index.md'])
  expect(buildLocaleRule('all', locales, 'x')).toBeNull()
  const all = buildLocaleRule('source-only', locales, 'the settings of this project')
  expect(all?.explain('index.md')).toBeNull()
  expect(all?.explain('fr/a.md')).toBe(
    '"fr/a.md" is a translation (fr). Translations are excluded by the settings of this project.',
  )
  const some = buildLocaleRule(['FR', 'pt_BR'], locales, 'x')
  expect(['fr/a.md', 'de/a.md', 'pt-BR/a.md'].map((path) => some?.explain(path) === null)).toEqual([true, false, true])
  expect(some?.words).toBe('no translations except into fr, pt-br (x)')
})

it('parses a language from a folder name', () => {
  expect(toLocaleName('zh_Hant_TW')).toEqual({ code: 'zh-hant-tw', isCertain: true, isCommon: true })
  for (const name of ['api', 'docs', 'v2', 'xx', 'a', 'de-', 'guide-de', 'sdk']) expect(toLocaleName(name)).toBeNull()
})

it('handles a large repository', () => {
  const pages = Array.from(
    { length: 20_000 },
    (_, n) => `docs/${['en', 'de', 'fr', 'ja'][n % 4]}/part-${n % 97}/page-${n}.md`,
  )
  expect(findLocales([...pages, 'docs/en/x.md', 'docs/de/x.md']).toTranslation('docs/ja/part-1/page.md')).toBe('ja')
})
