import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildChecker } from '../checks/build-checker.ts'
import { buildLint } from './build-lint.ts'
import { findIsolation, type Isolation } from './find-isolation.ts'
import { buildRunProgram, type ProgramLimits } from './run-program.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const root = mkdtempSync(join(tmpdir(), 'lint-test-'))
const bin = join(root, 'bin')
const system = (process.env.PATH ?? '').split(delimiter)

/** Source of the fake linters. The first line of the first page determines their output. */
const PROGRAM = `#!${process.execPath}
const { readFileSync, readdirSync } = require('node:fs')
const name = require('node:path').basename(process.argv[1])
const pages = process.argv.slice(2).filter((word) => word.endsWith('.md'))
const text = readFileSync(pages[0], 'utf8')
if (text.startsWith('HANG')) setInterval(() => {}, 1000)
else if (text.startsWith('FLOOD')) { const write = () => process.stdout.write('x'.repeat(65536), write); write() }
else if (text.startsWith('GROW')) { const all = []; setInterval(() => all.push(Buffer.alloc(50e6, 1)), 5) }
else if (text.startsWith('GARBAGE')) { console.log('unexpected output'); process.exit(7) }
else {
  const words = (path) => readFileSync(path, 'utf8').split('\\n').flatMap((line, n) => (line.match(/\\b\\w*zz\\w*\\b/g) ?? []).map((word) => [n + 1, word]))
  if (text.startsWith('LOOK')) console.log('./a.md:1:1 - Unknown word (' + [...readdirSync('.'), ...Object.keys(process.env)].sort().join(' ') + ' in ' + process.cwd() + ')')
  else if (text.startsWith('SPY')) {
    const read = (pid) => { try { return readFileSync('/proc/' + pid + '/environ', 'utf8') } catch { return '' } }
    const isFound = readdirSync('/proc').some((pid) => /^\\d+$/.test(pid) && read(pid).includes('CANARY=spied'))
    console.log('./a.md:1:1 - Unknown word (' + (isFound ? 'found' : 'nothing') + ')')
  } else if (name === 'cspell') for (const page of pages) for (const [line, word] of words(page)) console.log(page + ':' + line + ':3 - Unknown word (' + word + ')')
  else console.log(JSON.stringify(Object.fromEntries(pages.map((page) => [page, words(page).map(([Line, Match]) => ({ Check: 'Vale.Spelling', Line, Match, Message: 'Did you really mean ' + Match }))]))))
}
`

beforeAll(() => {
  // Linters may run as another user.
  chmodSync(root, 0o755)
  mkdirSync(bin)
  for (const name of ['cspell', 'vale']) {
    writeFileSync(join(bin, name), PROGRAM)
    chmodSync(join(bin, name), 0o755)
  }
})
afterAll(() => rmSync(root, { recursive: true }))

/** No isolation. Not every system that runs the tests offers one. */
const OPEN: Isolation = { prefix: [], user: null }

async function lint(
  files: Files,
  edit: (workspace: MemoryWorkspace) => Promise<void>,
  folders: readonly string[] = [bin, ...system],
  limits: Partial<ProgramLimits> = {},
  isolate: (folders: readonly string[]) => Promise<Isolation | null> = async () => OPEN,
) {
  const workspace = buildMemoryWorkspace(files)
  await edit(workspace)
  const results = await buildChecker({ lint: buildLint(buildRunProgram(folders, limits, isolate)) }).checkDocs({
    workspace,
    scope: 'changed',
  })
  return Object.fromEntries(results.map((result) => [result.name, result]))
}
const write =
  (text: string, path = 'a.md') =>
  (workspace: MemoryWorkspace) =>
    workspace.write(path, bytes(text))

describe('markdownlint', () => {
  const old = '# A\n\n* star\n'
  it('does not run without a configuration', async () => {
    const results = await lint({ 'a.md': old }, write('# A\n\n* star\n+ plus\n'))
    expect(Object.keys(results)).not.toContain('markdownlint')
  })

  it.each<[file: string, text: string]>([
    ['.markdownlint.json', '{ "default": false, "MD004": { "style": "dash" } }'],
    ['.markdownlint.jsonc', '{\n  // only this\n  "default": false, /* and */ "ul-style": { "style": "dash" },\n}\n'],
    ['.markdownlint.yaml', 'default: false\nMD004:\n  style: dash\n'],
    ['.markdownlint-cli2.yaml', 'config:\n  default: false\n  MD004:\n    style: dash\n'],
  ])('applies the rules in %s and reports only new issues, as advice', async (file, text) => {
    const { markdownlint } = await lint(
      { 'a.md': old, [file]: text },
      write('# A\n\nMore.\n\n* star\n\nText\n\n* another\n'),
    )
    expect(markdownlint).toMatchObject({ status: 'failed', introduced: 1, preexisting: 1 })
    expect(markdownlint?.findings).toEqual([
      { file: 'a.md', line: 9, advisory: true, message: expect.stringContaining('MD004/ul-style') },
    ])
  })

  it('uses the nearest configuration with its extended data files and ignored paths', async () => {
    const files = {
      'a.md': old,
      'docs/a.md': old,
      'docs/skip/b.md': old,
      'base.json': '{ "default": false, "MD004": { "style": "dash" } }',
      '.markdownlint.json': '{ "default": false }',
      'docs/.markdownlint-cli2.jsonc': '{ "config": { "extends": "../base.json" }, "ignores": ["skip"] }',
    }
    const { markdownlint } = await lint(files, async (workspace) => {
      for (const path of ['a.md', 'docs/a.md', 'docs/skip/b.md']) await workspace.write(path, bytes(`${old}* two\n`))
    })
    expect(markdownlint?.findings.map(({ file }) => file)).toEqual(['docs/a.md'])
  })

  it.each<[name: string, files: Files, message: RegExp]>([
    ['rules that are code', { '.markdownlint.cjs': 'process.exit(1)' }, /is code, which is never run/],
    ['options that are code', { '.markdownlint-cli2.mjs': 'process.exit(1)' }, /is code, which is never run/],
    [
      'a package',
      { '.markdownlint.json': '{ "extends": "markdownlint/style/prettier" }' },
      /extends something other than a data file/,
    ],
    [
      'a file outside the repository',
      { '.markdownlint.json': '{ "extends": "../../etc/passwd" }' },
      /extends something other than a data file/,
    ],
    [
      'a circular reference',
      { '.markdownlint.json': '{ "extends": ".markdownlint.json" }' },
      /extends something other than a data file/,
    ],
    ['a file that does not parse', { '.markdownlint.json': '{ nonsense' }, /cannot be read/],
  ])('is skipped with a reason when the configuration contains %s', async (_, files, message) => {
    const { markdownlint } = await lint({ 'a.md': old, ...files }, write('# A\n\n+ plus\n'))
    expect(markdownlint).toMatchObject({ status: 'skipped', introduced: 0 })
    expect(markdownlint?.findings[0]?.message).toMatch(message)
  })

  it('does not load custom rules and uses the rules in the base commit', async () => {
    const files = {
      'a.md': old,
      '.markdownlint-cli2.jsonc':
        '{ "customRules": ["./evil.cjs"], "config": { "default": false, "MD004": { "style": "dash" } } }',
      'evil.cjs': 'process.exit(1)',
    }
    const { markdownlint } = await lint(files, async (workspace) => {
      await workspace.write('.markdownlint-cli2.jsonc', bytes('{ "config": { "default": false } }'))
      await workspace.write('a.md', bytes(`${old}\n+ plus\n`))
    })
    expect(markdownlint).toMatchObject({ status: 'failed', introduced: 1 })
  })
})

describe('cspell and Vale', () => {
  const files = {
    'a.md': 'A fizz.\n',
    'cspell.json': '{ "dictionaryDefinitions": [{ "name": "x", "path": "words/x.txt" }] }',
    'words/x.txt': 'a\n',
  }
  const vale = {
    'a.md': 'A fizz.\n',
    '.vale.ini': 'StylesPath = styles\n[*.md]\nBasedOnStyles = Vale\n',
    'styles/Own/A.yml': 'extends: existence\n',
  }

  it.each<[name: string, files: Files]>([
    ['cspell', files],
    ['vale', vale],
  ])('%s reports only new issues, as advice', async (name, given) => {
    const result = (await lint(given, write('New.\n\nA fizz, a buzz and a fizz.\n')))[name]
    expect(result).toMatchObject({ status: 'failed', introduced: 2, preexisting: 1 })
    expect(result?.findings[0]).toMatchObject({ file: 'a.md', line: 3, advisory: true })
  })

  it.each<[name: string, files: Files]>([
    ['cspell', files],
    ['vale', vale],
  ])('%s is skipped with a message when it is not installed', async (name, given) => {
    const result = (await lint(given, write('buzz\n'), []))[name]
    expect(result?.status).toBe('skipped')
    expect(result?.findings[0]?.message).toContain(`Install ${name}`)
  })

  it('run with only the given files and a separate environment', async () => {
    const { cspell } = await lint(files, write('LOOK'))
    const message = cspell?.findings[0]?.message ?? ''
    expect(message).toContain('a.md cspell.json http_proxy')
    expect(message).not.toMatch(/SECRET|USER|VITEST|\bNODE_ENV\b/)
    const folder = / in (\/[^"]+)"/.exec(message)?.[1]
    expect(folder).toContain('corrigenda-lint-')
    expect(existsSync(String(folder))).toBe(false)
  })

  describe.runIf(process.platform === 'linux')('cannot read the environment of another process', () => {
    const plain = join(root, 'plain')
    beforeAll(() => {
      mkdirSync(plain)
      for (const name of ['cat', 'cspell'])
        symlinkSync(name === 'cat' ? '/bin/cat' : join(bin, name), join(plain, name))
      const child = spawn('sleep', ['1000'], { env: { ...process.env, CANARY: 'spied' }, stdio: 'ignore' })
      return () => child.kill()
    })
    const spy = async (folders: readonly string[], isolate?: typeof findIsolation) => {
      const { cspell } = await lint(files, write('SPY'), folders, {}, isolate)
      return cspell?.findings[0]?.message ?? ''
    }

    it('with the isolation that this system offers', async () => {
      expect(await spy([bin, ...system], findIsolation)).toMatch(/nothing|did not run/)
    })

    it.runIf(process.getuid?.() === 0)('as another user, if there are no namespaces', async () => {
      expect(await findIsolation([plain])).toEqual({ prefix: [], user: 65_534 })
      expect(await spy([plain], findIsolation)).toContain('nothing')
    })

    it('because it does not run, if it is not isolated', async () => {
      expect(await spy([plain])).toContain('found')
      expect(await findIsolation([plain], null)).toBeNull()
      expect(await spy([plain], async () => null)).toMatch(/did not run: this system lets it read the worker's cred/)
    })
  })

  it.each<[word: string, limits: Partial<ProgramLimits>, message: RegExp]>([
    ['HANG', { maxMs: 700 }, /took longer than 0.7 s/],
    ['FLOOD', { maxOutputBytes: 100_000 }, /output is too large/],
    ['GROW', { maxResidentBytes: 300_000_000 }, /too much memory/],
    ['GARBAGE', {}, /could not read this repository's configuration/],
  ])('fail with a reason (%s), and the check is skipped', async (word, limits, message) => {
    const { cspell } = await lint(files, write(word), [bin, ...system], limits)
    expect(cspell).toMatchObject({ status: 'skipped', introduced: 0 })
    expect(cspell?.findings[0]?.message).toMatch(message)
  })

  it.each<[name: string, files: Files, message: RegExp]>([
    ['cspell', { 'cspell.config.mjs': '' }, /is code/],
    ['cspell', { 'cspell.json': '{ "import": ["./evil.js"] }', 'evil.js': '' }, /not a data file/],
    ['cspell', { 'cspell.json': '{ "import": ["@cspell/dict-x/ext.json"] }' }, /not a data file/],
    ['cspell', { 'cspell.json': '{ "overrides": [{ "usePnP": true }] }' }, /loads code/],
    ['cspell', { 'cspell.json': '{ "reporters": ["x"] }' }, /loads code/],
    ['cspell', { 'cspell.json': '{ "import": ["b.json"] }', 'b.json': '{ "plugins": [] }' }, /loads code/],
    [
      'cspell',
      { 'cspell.json': '{ "dictionaryDefinitions": [{ "path": "../../etc/words.txt" }] }' },
      /not a data file/,
    ],
    ['vale', { '.vale.ini': 'StylesPath = /etc\n' }, /outside/],
    ['vale', { '.vale.ini': 'StylesPath = ../x\n' }, /outside/],
    ['vale', { '.vale.ini': 'StylesPath = s\nPackages = Google\n' }, /never downloaded/],
    ['vale', { '.vale.ini': 'StylesPath = s\n', 's/A/a.yml': 'extends: script\nscript: x\n' }, /is a script/],
  ])('%s does not run if it would run code or read files outside the repository: %j', async (name, given, message) => {
    const result = (await lint({ 'a.md': 'x\n', ...given }, write('buzz\n')))[name]
    expect(result?.status).toBe('skipped')
    expect(result?.findings[0]?.message).toMatch(message)
  })
})

it('a program gets no file outside its folder', async () => {
  const run = buildRunProgram([bin, ...system], {}, async () => OPEN)
  const files = [{ path: '../outside.md', bytes: bytes('A') }]
  await expect(run({ program: 'cspell', args: [], files })).rejects.toThrow('leaves the folder')
})
