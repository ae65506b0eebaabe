import { COMMAND_LINE } from '@corrigenda/core/audit'
import { deleteProject } from '@corrigenda/core/projects'
import { removeDeletedProjects } from '@corrigenda/core/retention'
import { scriptPrompt } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import type { RunPoint } from '../run/run-point.ts'
import { editPage, FULL, openTestService } from './test-support/open-test-service.ts'

const LATE_POINTS: readonly RunPoint[] = ['branch.pushing', 'pull.opening']

test.each(LATE_POINTS)('a worker at %s writes nothing to the Git host after the project was deleted', async (at) => {
  const service = await openTestService('postgres')
  onTestFinished(() => service.close())
  const { database, host, project } = service
  const before = await host.git(FULL, 'for-each-ref')
  await service.create(scriptPrompt('Change a page.', [editPage(1, 'One.')]))
  const worker = await service.startWorker({}, async (point) => {
    if (point === at)
      await deleteProject({ ...database, audit: COMMAND_LINE }, { projectId: project.id, name: project.name })
  })
  await expect.poll(() => service.lines.join('')).toContain('run lease lost; nothing written')
  await worker.close()
  while (await removeDeletedProjects(database));
  expect(host.pulls(FULL)).toEqual([])
  if (at === 'branch.pushing') expect(await host.git(FULL, 'for-each-ref')).toBe(before)
  expect(await database.prisma.job.count()).toBe(0)
})
