import { COMMAND_LINE } from '@corrigenda/core/audit'
import { createTestRun } from '@corrigenda/core/internal/test-support/create-test-run'
import { revokeKey } from '@corrigenda/core/keys'
import { deleteProject } from '@corrigenda/core/projects'
import { expect, test } from 'vitest'
import { openTestApi } from '../../test-support/open-test-api.ts'

test('requests at the same time get the answers that their keys allow', async () => {
  const api = await openTestApi()
  const { database, project, makeKey, makeProject } = api
  const { jobId } = await createTestRun(database, project.id)
  const foreign = await makeProject()
  const { jobId: foreignJob } = await createTestRun(database, foreign.id)
  const expired = await makeKey(project.id, { expiresInDays: -1 })
  const revoked = await makeKey(project.id)
  await revokeKey({ ...database, audit: COMMAND_LINE }, revoked.id)
  const deleted = await makeProject()
  const orphan = await makeKey(deleted.id)
  await deleteProject({ ...database, audit: COMMAND_LINE }, { projectId: deleted.id, name: 'test' })
  const keys = {
    valid: api.key,
    restricted: (await makeKey(project.id, { allowedCidrs: ['10.0.0.0/8'] })).key,
    writer: (await makeKey(project.id, { scopes: ['jobs:write'] })).key,
    foreign: (await makeKey(foreign.id)).key,
  }
  const poll = (key: string, { job = jobId, address = '10.1.2.3', projectId = project.id } = {}) =>
    api.get(`/v2/agent/${projectId}/job/${job}`, { authorization: `Bearer ${key}`, 'x-forwarded-for': address })

  const answers = await Promise.all([
    poll(keys.valid),
    poll(keys.restricted),
    poll(keys.restricted, { address: '192.0.2.1' }),
    poll(keys.writer),
    poll(keys.foreign),
    poll(keys.foreign, { projectId: foreign.id }),
    poll(keys.foreign, { projectId: foreign.id, job: foreignJob }),
    poll(keys.valid, { job: foreignJob }),
    poll(keys.valid, { job: 'job_%00' }),
    poll(keys.valid, { projectId: foreign.id }),
    poll(expired.key),
    poll(revoked.key),
    poll(orphan.key, { projectId: deleted.id }),
    poll('cgd_x'),
  ])
  expect(answers.map(({ statusCode, headers }) => `${statusCode} ${headers['x-error-code'] ?? ''}`)).toEqual([
    '200 ',
    '200 ',
    '403 address_not_allowed',
    '403 scope_missing',
    '404 not_found',
    '404 not_found',
    '200 ',
    '404 not_found',
    '404 not_found',
    '404 not_found',
    '401 unauthorized',
    '401 unauthorized',
    '401 unauthorized',
    '401 unauthorized',
  ])
  expect([answers[0]?.json().id, answers[6]?.json().id]).toEqual([jobId, foreignJob])
  const list = async (query: string, projectId = project.id, key = keys.valid) => {
    const response = await api.get(`/v2/agent/${projectId}/jobs${query}`, { authorization: `Bearer ${key}` })
    return response.json().jobs.map(({ id }: { id: string }) => id)
  }
  const lists = [list(''), list('?status=failed'), list('', foreign.id, keys.foreign), list('')]
  expect(await Promise.all(lists)).toEqual([[jobId], [], [foreignJob], [jobId]])
})
