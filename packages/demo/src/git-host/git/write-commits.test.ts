import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileChange } from '../host/types.ts'
import { startGitHost } from '../start-git-host.ts'
import { files } from '../test-support/open-test-host.ts'
import { runGit } from './run-git.ts'
import { createRepository } from './write-commits.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'create-repository-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
const git = (full: string, ...args: string[]) => runGit(join(root, `${full}.git`), ...args)

describe('createRepository', () => {
  it('writes every kind of entry and unusual paths', async () => {
    const entries: [string, FileChange][] = [
      ['plain.md', { data: 'plain\n' }],
      ['run.sh', { data: '#!/bin/sh\n', mode: '100755' }],
      ['link', { data: 'plain.md', mode: '120000' }],
      ['vendor/module', { data: '1'.repeat(40), mode: '160000' }],
      ['odd/"quoted" \\ back', { data: 'odd' }],
      ['odd/new\nline', { data: Buffer.from([0, 255, 10]) }],
      ['empty', { data: '' }],
    ]
    await createRepository(root, 'acme/kinds', { commits: [{ message: 'All kinds\n\nBody', files: new Map(entries) }] })
    const listed = (await git('acme/kinds', 'ls-tree', '-r', '-z', 'main')).split('\0').filter(Boolean)
    const toEntry = (line: string) => `${line.slice(0, 6)} ${line.slice(line.indexOf('\t') + 1)}`
    expect(listed.map(toEntry).toSorted()).toEqual(
      entries.map(([path, { mode = '100644' }]) => `${mode} ${path}`).toSorted(),
    )
    expect(await git('acme/kinds', 'log', '--format=%B', 'main')).toBe('All kinds\n\nBody')
    await git('acme/kinds', 'fsck', '--strict')
  })

  it('creates a history with added, changed and removed files', async () => {
    await createRepository({ root }, 'acme/history', {
      branch: 'trunk',
      commits: [
        { message: 'One', files: files({ 'a.md': '1', 'b/c.md': '1' }) },
        {
          message: 'Two',
          files: files({ 'a.md': '2', 'b/c.md': null, b: 'now a file' }),
          at: new Date('2026-02-01T10:00:00Z'),
        },
      ],
    })
    expect(await git('acme/history', 'ls-tree', '-r', '--name-only', 'trunk')).toBe('a.md\nb')
    expect(await git('acme/history', 'log', '--format=%s %cI', 'trunk')).toContain('Two 2026-02-01T10:00:00+00:00')
    expect(await git('acme/history', 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk')
  })

  it('creates the same commit IDs for the same input', async () => {
    const input = { commits: [{ message: 'One', files: files({ 'a.md': '1' }) }] }
    await createRepository(root, 'acme/same-1', input)
    await createRepository(root, 'acme/same-2', input)
    expect(await git('acme/same-1', 'rev-parse', 'main')).toBe(await git('acme/same-2', 'rev-parse', 'main'))
  })

  it('accepts thousands of files', async () => {
    const many = Array.from({ length: 5000 }, (_, i): [string, FileChange] => [
      `d${i % 70}/f${i}.md`,
      { data: `# ${i}\n` },
    ])
    await createRepository(root, 'acme/many', { commits: [{ message: 'Many', files: new Map(many) }] })
    expect((await git('acme/many', 'ls-tree', '-r', '--name-only', 'main')).split('\n')).toHaveLength(5000)
  })

  it('rejects an invalid name and an existing name', async () => {
    for (const full of ['docs', 'acme/../x', 'acme/docs.git', 'a/b/c', '../x', 'acme/']) {
      await expect(createRepository(root, full, { commits: [] }), full).rejects.toThrow(/not a repository name/)
    }
    await expect(createRepository(root, 'acme/same-1', { commits: [] })).rejects.toThrow(/already exists/)
  })
})

describe('startGitHost', () => {
  it('keeps pull requests and settings across a restart', async () => {
    const first = await startGitHost({ root, token: 'ghp_kept' })
    await first.pushCommit('acme/same-1', 'topic', { files: files({ b: '2' }), message: 'Two' })
    await fetch(`${first.apiUrl}/repos/acme/same-1/pulls`, {
      method: 'POST',
      headers: { authorization: 'token ghp_kept', 'user-agent': 'test' },
      body: JSON.stringify({ head: 'topic', base: 'main', title: 'Kept' }),
    })
    first.protect('acme/same-1', 'main')
    await first.rename('acme/same-2', 'acme/renamed')
    await first.close()

    const second = await startGitHost({ root, token: 'ghp_kept', publicUrl: 'http://docs.example:1234/' })
    expect(second.pulls('acme/same-1')).toMatchObject([{ number: 1, title: 'Kept', state: 'open' }])
    expect(second.repositoryUrl('acme/docs')).toBe('http://docs.example:1234/acme/docs')
    await second.close()
  })

  it('reports unknown repositories and pull requests', async () => {
    const host = await startGitHost({ root })
    expect(() => host.pulls('acme/absent')).toThrow(
      'There is no repository acme/absent. Create it with createRepository.',
    )
    await expect(host.closePull('acme/many', 7)).rejects.toThrow('acme/many has no pull request 7')
    await host.close()
  })
})
