import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { getChanges } from '@corrigenda/core/jobs'
import { scriptPrompt } from '@corrigenda/testkit'
import { editPage, FULL, openTestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)

test("returns a patch that produces the pull request's tree, even after its branch is deleted", async () => {
  const service = await openTestService('postgres')
  onTestFinished(() => service.close())
  await service.startWorker()
  const prompt = scriptPrompt('Change two pages.', [
    [{ tool: 'view', input: { path: 'page-3.mdx' } }],
    [{ tool: 'create', input: { path: 'page-new.md', file_text: '# New\n' } }],
    editPage(3, 'Changed.'),
  ])
  const { id } = await service.create(prompt)
  const job = await service.ended(id)
  expect(job.failure).toBeNull()
  const branch = `corrigenda/${id}`
  const head = await service.host.git(FULL, 'rev-parse', branch)
  const tree = await service.host.git(FULL, 'rev-parse', `${branch}^{tree}`)
  const base = await service.host.git(FULL, 'rev-parse', 'main')
  const changes = await getChanges(service.database, { projectId: service.project.id, id })
  expect(changes).toMatchObject({ baseCommit: base, headCommit: head, truncated: false })
  expect(changes.files.map((f) => [f.path, f.status])).toEqual([
    ['page-3.mdx', 'modified'],
    ['page-new.md', 'added'],
  ])
  await service.host.git(FULL, 'branch', '-D', branch)
  expect(await getChanges(service.database, { projectId: service.project.id, id })).toEqual(changes)
  const dir = await mkdtemp(path.join(os.tmpdir(), 'wire-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await run('git', [
    'clone',
    '-q',
    `${service.host.repositoryUrl(FULL)}.git`.replace('://', `://x-access-token:${service.host.token}@`),
    dir,
  ])
  await writeFile(path.join(dir, '.git/p'), changes.patch)
  await run('git', ['-C', dir, 'apply', '--index', '.git/p'])
  expect((await run('git', ['-C', dir, 'write-tree'])).stdout.trim()).toBe(tree)
})
