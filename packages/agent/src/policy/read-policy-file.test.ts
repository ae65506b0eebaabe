import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import { describe, expect, it } from 'vitest'
import { PolicyFileError, parsePolicyFile, readPolicyFile } from './read-policy-file.ts'

const parse = (text: string) => parsePolicyFile('.corrigenda.yml', text)

it('parses every setting', () => {
  const text = `
# Jobs keep to the guides.
writable: [guides/**, "snippets/**/*.yaml"]
forbidden:
  - guides/legal/**
maxFiles: 5
maxLines: 200
locales: source-only
draft: true
labels: [docs]
reviewers: [ada, acme/writers]
titlePattern: "docs: {title}"
instructions: |
  Write short sentences.
budgets:
  maxTurns: 10
  maxCostUsd: 0.5
`
  expect(parse(text)).toEqual({
    writable: ['guides/**', 'snippets/**/*.yaml'],
    forbidden: ['guides/legal/**'],
    maxFiles: 5,
    maxLines: 200,
    locales: 'source-only',
    draft: true,
    labels: ['docs'],
    reviewers: ['ada', 'acme/writers'],
    titlePattern: 'docs: {title}',
    instructions: 'Write short sentences.\n',
    budgets: { maxTurns: 10, maxCostUsd: 0.5 },
  })
  expect(parse('locales: [en, pt-BR]')).toEqual({ locales: ['en', 'pt-BR'] })
  expect(parse('')).toEqual({})
  expect(parse('# nothing yet\n')).toEqual({})
})

describe('an invalid file is rejected with a suggested fix', () => {
  it.each([
    ['maxFile: 5', /Unknown setting "maxFile"\./],
    ['budgets: { maxTurn: 5, tokens: 1 }', /Unknown settings "maxTurn" and "tokens" in budgets\./],
    ['maxFiles: 0', /"maxFiles"/],
    ['maxFiles: 5000', /"maxFiles"/],
    ['maxFiles: "5"', /"maxFiles" must be a number from 1 to 50\./],
    ['maxLines: null', /"maxLines" must be a number/],
    ['writable:', /"writable"/],
    ['writable: []', /"writable"/],
    ['writable: docs/**', /"writable"/],
    ['writable: [/docs/**]', /"writable.0" must be a pattern relative to the repository root/],
    ['writable: ["!docs/**"]', /"writable.0"/],
    ['forbidden: [../x]', /"forbidden.0"/],
    ['draft: false', /"draft" can only be true/],
    ['draft: yes', /"draft"/],
    ['locales: some', /"locales" must be all, source-only, or a list/],
    ['budgets: { maxTurns: null }', /"budgets.maxTurns"/],
    ['titlePattern: no placeholder', /"titlePattern" must contain \{title\}/],
    ['reviewers: ["@ada"]', /"reviewers.0" must be a login/],
    ['model: expensive', /Unknown setting "model"/],
    ['branchPrefix: x', /Unknown setting/],
    ['allow: ["**"]', /Unknown setting/],
    ['- writable', /The file: /],
    ['just text', /The file: /],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12', /YAML|The file/],
    ['maxFiles: 1\nmaxFiles: 50', /line 2: duplicate key/],
    ['maxFiles: [1', /not valid YAML/],
    ['a: &a [x]\nforbidden: *a', /aliases are not supported/],
    ['forbidden: !!js/regexp /x/', /not valid YAML|"forbidden"/],
    ['maxFiles: 1\n---\nmaxFiles: 50', /not valid YAML/],
    ['<<: { maxFiles: 50 }', /Unknown setting/],
    [`forbidden: ${'['.repeat(50)}`, /not valid YAML/],
    ['__proto__: { maxFiles: 1 }', /Unknown setting|The file/],
  ])('rejects %j', (text, message) => {
    expect(() => parse(text)).toThrow(PolicyFileError)
    expect(() => parse(text)).toThrow(message)
  })
})

it('rejects deep nesting before parsing the file', () => {
  expect(() => parse('{a: '.repeat(30_000))).toThrow(/nested too deeply/)
})

type Mode = Awaited<ReturnType<Snapshot['readTree']>>['entries'][number]['mode']

const FILE = '100644'
/** Builds a snapshot with these entries in its root. */
const snapshot = (entries: Record<string, [mode: Mode, content: string | Uint8Array]>) => ({
  tree: 't',
  readTree: async () => ({
    bytes: Buffer.alloc(0),
    entries: Object.entries(entries).map(([name, [mode]]) => ({
      mode,
      name,
      oid: `oid of ${name}`,
      nameBytes: Buffer.from(name),
      start: 0,
      end: 0,
    })),
  }),
  readBlob: async (oid: string, max?: number) => {
    const bytes = Buffer.from(entries[oid.slice('oid of '.length)]?.[1] ?? '')
    if (bytes.length > (max ?? 0)) throw new RepositoryError('too_large', 'large')
    return bytes
  },
})

it('reads the policy file from the root folder of a commit', async () => {
  expect(await readPolicyFile(snapshot({ 'a.md': [FILE, ''], docs: ['40000', ''] }))).toBeNull()
  expect(await readPolicyFile(snapshot({ '.corrigenda.yml': [FILE, 'maxFiles: 3'] }))).toEqual({
    path: '.corrigenda.yml',
    blob: 'oid of .corrigenda.yml',
    policy: { maxFiles: 3 },
  })
  expect((await readPolicyFile(snapshot({ '.corrigenda.yaml': ['100755', 'draft: true'] })))?.policy.draft).toBe(true)
})

it.each<[string, Record<string, [Mode, string | Uint8Array]>, RegExp]>([
  ['two files', { '.corrigenda.yml': [FILE, ''], '.corrigenda.yaml': [FILE, ''] }, /Keep one/],
  ['a file name in a different case', { '.Corrigenda.yml': [FILE, ''] }, /Rename it to \.corrigenda\.yml/],
  ['a symbolic link', { '.corrigenda.yml': ['120000', 'docs/x.md'] }, /ordinary file/],
  ['a submodule', { '.corrigenda.yml': ['160000', ''] }, /ordinary file/],
  ['a folder', { '.corrigenda.yml': ['40000', ''] }, /ordinary file/],
  ['a file that is too large', { '.corrigenda.yml': [FILE, `#${'x'.repeat(70_000)}`] }, /larger than 64 KB/],
  ['a file that is not UTF-8', { '.corrigenda.yml': [FILE, Uint8Array.of(0x61, 0xff)] }, /UTF-8/],
])('rejects %s', async (_, entries, message) => {
  await expect(readPolicyFile(snapshot(entries))).rejects.toThrow(PolicyFileError)
  await expect(readPolicyFile(snapshot(entries))).rejects.toThrow(message)
})
