import { MAX_SAVED_PROMPTS } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { createSavedPrompt, deleteSavedPrompt, listSavedPrompts, updateSavedPrompt } from './saved-prompts.ts'

async function open() {
  const database = openTestDatabase()
  const [projectId, other] = [(await createTestProject(database)).id, (await createTestProject(database)).id]
  const save = (name: string, project = projectId) =>
    createSavedPrompt(database, { projectId: project, request: { name, prompt: `Do ${name}` } })
  const names = async (project = projectId) => (await listSavedPrompts(database, project)).map(({ name }) => name)
  return { database, projectId, other, save, names }
}

test('saves, renames, changes and deletes the prompts of a project, and records each act', async () => {
  const { database, projectId, save, names } = await open()
  const { id } = await save('typos')
  await save('Links')
  expect(await names()).toEqual(['Links', 'typos'])
  const changed = await updateSavedPrompt(database, { projectId, id, change: { name: 'Typos', prompt: 'New' } })
  expect(changed).toMatchObject({ id, name: 'Typos', prompt: 'New' })
  // A change without an effect is not an act.
  await updateSavedPrompt(database, { projectId, id, change: { name: 'Typos' } })
  await deleteSavedPrompt(database, { projectId, id })
  expect(await names()).toEqual(['Links'])
  const events = await database.prisma.auditEvent.findMany({
    where: { projectId, action: { startsWith: 'saved_prompt.' } },
    orderBy: { id: 'asc' },
  })
  expect(events.map(({ action, targetName }) => [action, targetName])).toEqual([
    ['saved_prompt.created', 'typos'],
    ['saved_prompt.created', 'Links'],
    ['saved_prompt.updated', 'Typos'],
    ['saved_prompt.deleted', 'Typos'],
  ])
})

test("another project's prompts are not found and not listed", async () => {
  const { database, other, save, names } = await open()
  const { id } = await save('typos')
  const change = { name: 'taken over' }
  await expect(updateSavedPrompt(database, { projectId: other, id, change })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(deleteSavedPrompt(database, { projectId: other, id })).rejects.toMatchObject({ code: 'not_found' })
  expect([await names(), await names(other)]).toEqual([['typos'], []])
})

test('a name is unique in its project, ignoring case', async () => {
  const { database, projectId, other, save, names } = await open()
  const { id } = await save('Typos')
  await expect(save('typos')).rejects.toMatchObject({ code: 'invalid_request' })
  await save('typos', other)
  const links = await save('Links')
  await expect(
    updateSavedPrompt(database, { projectId, id: links.id, change: { name: 'TYPOS' } }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  await updateSavedPrompt(database, { projectId, id, change: { name: 'TYPOS' } })
  expect(await names()).toEqual(['Links', 'TYPOS'])
})

test('a project has a limited number of prompts, and a deleted project has none', async () => {
  const { database, projectId, save } = await open()
  await database.prisma.savedPrompt.createMany({
    data: Array.from({ length: MAX_SAVED_PROMPTS - 1 }, (_, n) => ({
      id: `${projectId}-${n}`,
      projectId,
      name: String(n),
      prompt: 'x',
    })),
  })
  // Another request saves the last one at the same time.
  let isSettled = false
  const { results } = await database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`
    const results = Promise.allSettled([save('one')]).finally(() => {
      isSettled = true
    })
    const isWaiting = async () => {
      const rows = await database.prisma.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND query LIKE '%FROM projects WHERE id%'`
      return rows.length > 0
    }
    await expect.poll(async () => isSettled || (await isWaiting())).toBe(true)
    await tx.savedPrompt.create({ data: { id: `${projectId}-last`, projectId, name: 'last', prompt: 'x' } })
    return { results }
  })
  expect(await results).toMatchObject([{ status: 'rejected', reason: { code: 'invalid_request' } }])
  await database.prisma.project.update({ where: { id: projectId }, data: { deletedAt: new Date() } })
  await expect(save('three')).rejects.toMatchObject({ code: 'not_found' })
})
