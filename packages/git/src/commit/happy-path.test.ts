import { expect, it } from 'vitest'
import { commitFiles, runGit } from '../test-support/fixture.ts'
import { startHarness } from '../test-support/harness.ts'
import { openWorkTree } from '../work-tree/open-work-tree.ts'
import { buildCommit } from './build-commit.ts'
import { pushBranch } from './push-branch.ts'

it('reads a repository, edits it in memory and pushes a branch', async () => {
  await using host = await startHarness([
    { path: 'README.md', content: '# Hello\n' },
    { path: 'docs/guide/start.md', content: 'start\n' },
    { path: 'docs/run.sh', mode: '100755', content: '#!/bin/sh\n' },
  ])
  const request = { tenant: 't', url: host.url, branch: null, token: host.token }
  const base = commitFiles(host.origin, 'main', [{ path: 'docs/new.md', content: 'new\n' }])
  await using snapshot = await host.mirrors.openSnapshot(request)
  expect(snapshot.branch).toBe('main')
  expect(snapshot.commit).toBe(base)
  const tree = await openWorkTree({ snapshot })
  expect((await tree.list()).map((entry) => entry.path)).toEqual([
    'README.md',
    'docs/guide/start.md',
    'docs/new.md',
    'docs/run.sh',
  ])
  await tree.write('docs/guide/start.md', Buffer.from('start here\n'))
  await tree.write('docs/guide/deep/er/page.md', Buffer.from('page\n'))
  await tree.move('docs/run.sh', 'docs/go.sh')
  const who = { name: 'Corrigenda', email: 'bot@example.com' }
  const built = await buildCommit({
    snapshot,
    changes: tree.overlay(),
    message: 'Edit',
    author: who,
    committer: who,
    timestamp: 1_800_000_000,
  })
  if (!built) throw new Error('expected a commit')
  const push = { http: { url: host.url, token: host.token }, branch: 'corrigenda/x', expected: null, built }
  expect(await pushBranch(push)).toBe('pushed')
  expect(runGit(host.origin, ['rev-parse', 'corrigenda/x'])).toBe(built.commit)
  expect(runGit(host.origin, ['diff-tree', '-r', '--name-status', 'main', 'corrigenda/x']).split('\n')).toEqual([
    'A\tdocs/go.sh',
    'A\tdocs/guide/deep/er/page.md',
    'M\tdocs/guide/start.md',
    'D\tdocs/run.sh',
  ])
  runGit(host.origin, ['fsck', '--strict'])

  const next = commitFiles(host.origin, 'main', [{ path: 'README.md', content: '# Hello again\n' }])
  await using second = await host.mirrors.openSnapshot(request)
  expect(second.commit).toBe(next)
  expect((await (await openWorkTree({ snapshot: second })).read('README.md')).toString()).toBe('# Hello again\n')
})
