import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildInlineRunner } from '@corrigenda/site/internal/thread/build-inline-runner'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHistory } from './check-history.ts'
import { runGit } from './run-git.ts'

const folder = mkdtempSync(join(tmpdir(), 'check-history-test-'))
const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']

async function commit(subject: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  await runGit(folder, ['add', '--all'])
  await runGit(folder, [...AUTHOR, 'commit', '--quiet', '--message', subject])
}

beforeAll(async () => {
  await runGit(folder, ['init', '--quiet', '--initial-branch=main'])
  await commit('start', { 'a.md': '# A\n\n[b](b.md)\n', 'b.md': '# B\n' })
  await commit('more words', { 'b.md': '# B\n\nWords.\n' })
  await commit('a link to nothing', { 'a.md': '# A\n\n[b](b.md) and [c](c.md)\n' })
  await commit('add the page', { 'c.md': '# C\n' })
})
afterAll(() => rmSync(folder, { recursive: true }))

const inspect = async (source: string, commits: number) => {
  const lines: string[] = []
  const report = await checkHistory({
    source,
    commits,
    runner: buildInlineRunner(),
    print: (line) => void lines.push(line),
  })
  return { report, said: lines.join('\n') }
}

test('reports only the commit that introduces an issue', async () => {
  const { report, said } = await inspect(folder, 10)
  expect(report).toMatchObject({ checked: 3, flagged: 1, blocked: 1, failed: 0, missing: 0 })
  expect(said).toContain('a link to nothing')
  expect(said).not.toMatch(/more words|add the page/)
})

test('skips the oldest commit of a shallow clone, which has no parent to compare with', async () => {
  const { report } = await inspect(pathToFileURL(folder).href, 2)
  expect(report).toMatchObject({ checked: 2, flagged: 1 })
})

test('reads a file that the clone lacks as empty and counts it', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'check-history-copy-'))
  try {
    cpSync(folder, copy, { recursive: true })
    const oid = (await runGit(copy, ['rev-parse', 'HEAD:c.md'])).trim()
    rmSync(join(copy, '.git/objects', oid.slice(0, 2), oid.slice(2)), { force: true })
    expect((await inspect(copy, 10)).report).toMatchObject({ checked: 3, missing: 1 })
  } finally {
    rmSync(copy, { recursive: true })
  }
})
