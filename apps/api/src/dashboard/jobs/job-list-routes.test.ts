import type { AgentJob, DashboardJobPage } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { archiveJob, cancelJob } from '@corrigenda/core/jobs'
import { expect, onTestFinished, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openStream } from '../../test-support/open-stream.ts'
import { openUsersApi } from '../../test-support/open-users-api.ts'

/** Creates a project with a viewer, and returns helpers that list the jobs as this user. */
async function openList(overrides?: Parameters<typeof openUsersApi>[0]) {
  const api = await openUsersApi(overrides)
  const viewer = await api.makeUser({ role: 'viewer' })
  const path = `/dashboard/api/projects/${api.project.id}`
  const create = async (prompt: string): Promise<string> => {
    const response = await api.post({ prompt })
    expect(response.statusCode).toBe(201)
    return response.json<AgentJob>().id
  }
  const list = async (query: Record<string, string> = {}): Promise<DashboardJobPage> => {
    const response = await api.ask('GET', `${path}/jobs?${new URLSearchParams(query)}`, { cookie: viewer.cookie })
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store'])
    return response.json()
  }
  const ids = async (query: Record<string, string>) => (await list(query)).jobs.map(({ id }) => id)
  return { ...api, viewer, path, create, list, ids }
}

test('filters and counts jobs by state, and truncates prompts to 300 characters', async () => {
  const { database, deps, project, create, list, ids } = await openList()
  const jobs: Record<string, string> = {}
  for (const state of [
    'needs_review',
    'no_changes',
    'needs_input',
    'failed',
    'cancelled',
    'archived',
    'active',
    'queued',
  ]) {
    jobs[state] = await create(`${state}\n${'x'.repeat(5_000)}`)
  }
  const of = (state: string) => jobs[state] ?? ''
  await endJob(database, of('no_changes'))
  await endJob(database, of('needs_input'), { kind: 'needs_input', summary: 'Which page?', checks: [] })
  await endJob(database, of('failed'), { kind: 'failed', code: 'impossible', message: 'No.' })
  await cancelJob({ ...deps, audit: COMMAND_LINE }, { projectId: project.id, id: of('cancelled') })
  await endJob(database, of('archived'))
  await archiveJob({ ...deps, audit: COMMAND_LINE }, { projectId: project.id, id: of('archived') })
  // Set directly, because opening a pull request is not under test.
  const sql = `UPDATE jobs SET status = 'completed', phase = NULL, outcome = 'changed', finished_at = now(), head_commit = 'c',
    pr_number = 7, pr_url = $2, pr_link = $2, pr_branch = 'b', pr_state = 'open', pr_draft = false WHERE id = $1`
  await database.pool.query('UPDATE runs SET active = false, ended_at = now() WHERE job_id = $1', [of('needs_review')])
  await database.pool.query(sql, [of('needs_review'), `https://github.com/acme/docs/pull/${Date.now()}`])
  await database.pool.query(`UPDATE jobs SET phase = 'editing' WHERE id = $1`, [of('active')])

  const all = await list()
  expect(all.jobs.map(({ id }) => id)).toEqual(Object.values(jobs).reverse())
  for (const state of Object.keys(jobs)) expect([state, await ids({ status: state })]).toEqual([state, [of(state)]])
  expect(await ids({ status: 'queued,failed' })).toEqual([of('queued'), of('failed')])
  const each = Object.fromEntries(Object.keys(jobs).map((state) => [state, 1]))
  expect(all.counts).toEqual({ ...each, merged: 0, closed: 0 })
  expect((await list({ status: 'failed' })).counts).toEqual(all.counts)
  const [newest] = all.jobs
  expect(newest?.prompt).toBe(`queued\n${'x'.repeat(293)}`)
  expect(all.jobs.at(-1)).toMatchObject({ pullRequest: { number: 7, state: 'open' }, costUsd: null })
})

test('the list supports pagination and text search, and rejects invalid filters', async () => {
  const { create, list, ids, ask, path, viewer } = await openList()
  const created: string[] = []
  for (const prompt of ['install page', 'start page', 'INSTALL again']) created.unshift(await create(prompt))
  const first = await list({ limit: '2' })
  const rest = await list({ limit: '2', cursor: first.nextCursor ?? '' })
  expect([...first.jobs, ...rest.jobs].map(({ id }) => id)).toEqual(created)
  expect(rest.nextCursor).toBeNull()
  expect(await ids({ q: 'install' })).toEqual([created[0], created[2]])
  for (const query of ['status=nonsense', 'status=', 'limit=101', 'cursor=x']) {
    expectError(await ask('GET', `${path}/jobs?${query}`, { cookie: viewer.cookie }), 400, 'invalid_request')
  }
})

test('the list and the stream return 404 to non-members and 401 without a session, even with a key', async () => {
  const { ask, path, makeUser, get } = await openList()
  const stranger = await makeUser()
  for (const at of [`${path}/jobs`, `${path}/events`]) {
    expectError(await ask('GET', at, { cookie: stranger.cookie }), 404, 'not_found')
    expectError(await ask('GET', at), 401, 'sign_in_required')
    expectError(await get(at), 401, 'sign_in_required')
  }
})

test('a stream reports changes only in its own project, and ends when the user loses access', async () => {
  const api = await openList({})
  const { database, path, viewer, create, makeProject, makeKey, makeUser, project, post, signIn } = api
  const url = await api.listen()
  const other = await makeProject()
  const removed = await makeUser({ role: 'member' })
  const listen = async (cookie: string) => {
    const stream = await openStream(`${url}${path}/events`, { cookie })
    onTestFinished(() => stream.close())
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
    return stream
  }
  const streams = [await listen(viewer.cookie), await listen(removed.cookie)]
  // After the notification connection opens, the first reader is told to reload the whole list.
  await expect.poll(() => streams[0]?.text).toContain('data: {"jobs":[]}')
  const { key } = await makeKey(other.id)
  const foreign = (await post({ prompt: 'x' }, { key, projectId: other.id })).json<AgentJob>().id
  const id = await create('x')
  for (const stream of streams) {
    await expect.poll(() => stream.text).toContain(`data: {"jobs":["${id}"]}`)
    expect(stream.text).not.toContain(foreign)
  }
  // One user's session ends, and the other user's membership is removed.
  const again = await listen(await signIn(viewer.email))
  await database.prisma.session.deleteMany({ where: { userId: removed.userId } })
  await expect(streams[1]?.ended).resolves.toBe(true)
  await database.prisma.membership.deleteMany({ where: { userId: viewer.userId, projectId: project.id } })
  await expect(Promise.all([streams[0]?.ended, again.ended])).resolves.toEqual([true, true])
})

test('one user cannot exhaust the streams available to other users', async () => {
  const api = await openList({})
  const { path, viewer, makeUser } = api
  const url = await api.listen()
  const listen = async (cookie: string) => {
    const stream = await openStream(`${url}${path}/events`, { cookie })
    onTestFinished(() => stream.close())
    return stream.status
  }
  const spare = await makeUser({ role: 'viewer' })
  const statuses = await Promise.all(Array.from({ length: 30 }, () => listen(viewer.cookie)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect([await listen(viewer.cookie), await listen(spare.cookie)]).toEqual([503, 200])
})
