import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildCommit } from '@corrigenda/git/commit'
import { commitFiles } from '@corrigenda/git/internal/test-support/fixture'
import { startHarness } from '@corrigenda/git/internal/test-support/harness'
import { openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import { expect, onTestFinished, test } from 'vitest'
import { readChangedFiles, toChanges } from './to-changes.ts'

const run = promisify(execFile)
const X = '100755'

async function open() {
  const host = await startHarness([
    { path: 'docs/a.md', content: '# A\n\nText.\n' },
    { path: 'docs/my page.md', content: 'one\r\ntwo\r\n' },
    { path: 'docs/gone.md', content: 'x' },
    { path: 'docs/link.md', content: 'a.md', mode: '120000' },
    { path: 'bin/run', content: 'echo 1\n', mode: X },
    { path: 'bin/tool', content: 'echo 2\n', mode: X },
    { path: 'vendor/theme', content: '1'.repeat(40), mode: '160000' },
  ])
  onTestFinished(() => host[Symbol.asyncDispose]())
  const openBranch = async (branch: string) => {
    const snapshot = await host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch, token: host.token })
    onTestFinished(() => snapshot[Symbol.asyncDispose]())
    return snapshot
  }
  /** Applies the patch to the base branch with git and returns the resulting tree. */
  const apply = async (patch: string): Promise<string> => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'changed-files-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const git = async (...input: string[]) => (await run('git', ['-C', dir, ...input])).stdout.trim()
    await run('git', ['clone', '-q', '-b', 'main', host.origin, dir])
    await writeFile(path.join(dir, '.git', 'change.patch'), patch)
    await git('apply', '--index', '--whitespace=nowarn', '.git/change.patch')
    return git('write-tree')
  }
  return { host, openBranch, apply }
}

async function buildTree(tree: WorkTree): Promise<string | undefined> {
  const author = { name: 'a', email: 'a@example.com' }
  const { snapshot } = tree
  const facts = { message: 'm', author, committer: author, timestamp: 1 }
  return (await buildCommit({ snapshot, changes: tree.overlay(), ...facts }))?.tree
}

test('builds a patch that reproduces the work tree when git applies it to the base', async () => {
  const { openBranch, apply } = await open()
  const base = await openBranch('main')
  const tree = await openWorkTree({ snapshot: base })
  await tree.write('docs/a.md', Buffer.from('# A\n\nOther text.'))
  await tree.write('docs/my page.md', Buffer.from('one\r\n2\r\n'))
  await tree.write('docs/new/ü b.md', Buffer.from('new\n'))
  await tree.remove('docs/gone.md')
  await tree.move('bin/run', 'bin/start')
  await tree.remove('bin/tool')
  const { files } = toChanges(await readChangedFiles({ base, workTree: tree }))
  expect(files.map((file) => [file.path, file.status])).toEqual([
    ['bin/start', 'renamed'],
    ['bin/tool', 'removed'],
    ['docs/a.md', 'modified'],
    ['docs/gone.md', 'removed'],
    ['docs/my page.md', 'modified'],
    ['docs/new/ü b.md', 'added'],
  ])
  expect(await apply(files.map((file) => file.patch).join(''))).toBe(await buildTree(tree))
})

test("compares a follow-up with the pull request's base, so earlier changes on the branch are included", async () => {
  const { host, openBranch, apply } = await open()
  await run('git', ['-C', host.origin, 'branch', 'work', 'main'])
  commitFiles(host.origin, 'work', [
    { path: 'docs/a.md', content: '# A\n\nEarlier text.\n' },
    { path: 'docs/earlier.md', content: 'earlier\n' },
    { path: 'docs/undone.md', content: 'for a while\n' },
    { path: 'docs/other link.md', content: 'gone.md', mode: '120000' },
    { path: 'docs/link.md', content: null },
    { path: 'bin/tool', content: 'echo 2\n' },
  ])
  const [base, head] = [await openBranch('main'), await openBranch('work')]
  const tree = await openWorkTree({ snapshot: head })
  await tree.write('docs/earlier.md', Buffer.from('earlier\nand now\n'))
  await tree.remove('docs/undone.md')
  await tree.write('docs/my page.md', Buffer.from('one\r\ntwo\r\nthree\r\n'))
  const { files } = toChanges(await readChangedFiles({ base, workTree: tree }))
  expect(files.map((file) => [file.path, file.status])).toEqual([
    ['bin/tool', 'modified'],
    ['docs/a.md', 'modified'],
    ['docs/earlier.md', 'added'],
    ['docs/link.md', 'removed'],
    ['docs/my page.md', 'modified'],
    ['docs/other link.md', 'added'],
  ])
  expect(await apply(files.map((file) => file.patch).join(''))).toBe(await buildTree(tree))
  // Without edits or commits on the branch, the result is empty.
  expect(await readChangedFiles({ base, workTree: await openWorkTree({ snapshot: base }) })).toEqual([])
})
