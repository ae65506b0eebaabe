import { COMMAND_LINE } from '@corrigenda/core/audit'
import { deleteProject } from '@corrigenda/core/projects'
import { removeDeletedProjects } from '@corrigenda/core/retention'
import { scriptPrompt } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OnPoint, RunPoint } from '../run/run-point.ts'
import { editPage, FULL, openTestService, type TestService } from './test-support/open-test-service.ts'

const LATE_POINTS: readonly RunPoint[] = ['branch.pushing', 'pull.opening']

let service: TestService
let onPoint: OnPoint = async () => {}
beforeAll(async () => {
  service = await openTestService('postgres')
  await service.startWorker({}, (point, run) => onPoint(point, run))
})
afterAll(() => service.close())

test.each(LATE_POINTS)('a worker at %s writes nothing to the Git host after the project was deleted', async (at) => {
  const { database, host, lines } = service
  const project = await service.addProject(FULL)
  const before = await host.git(FULL, 'for-each-ref')
  lines.length = 0
  onPoint = async (point) => {
    if (point === at)
      await deleteProject({ ...database, audit: COMMAND_LINE }, { projectId: project.id, name: project.name })
  }
  const { id } = await service.create(scriptPrompt('Change a page.', [editPage(1, 'One.')]), {}, project.id)
  await expect.poll(() => lines.join('')).toContain('run lease lost; nothing written')
  while (await removeDeletedProjects(database));
  expect(host.pulls(FULL)).toEqual([])
  if (at === 'branch.pushing') expect(await host.git(FULL, 'for-each-ref')).toBe(before)
  expect(await database.prisma.job.count({ where: { id } })).toBe(0)
})
