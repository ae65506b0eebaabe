import { expect, test } from 'vitest'
import { openUsersApi } from '../../test-support/open-users-api.ts'

async function open() {
  const api = await openUsersApi()
  const owner = await api.makeUser({ role: 'owner' })
  const admin = await api.makeUser({ isAdmin: true })
  const path = `/dashboard/api/projects/${api.project.id}/audit-events`
  return { ...api, owner, admin, path }
}

test('owners read their own project only, admins read everything', async () => {
  const api = await open()
  const foreign = await api.makeProject()
  const member = await api.makeUser({ role: 'member' })
  expect((await api.ask('GET', api.path, { cookie: member.cookie })).statusCode).toBe(403)
  const page = (await api.ask('GET', api.path, { cookie: api.owner.cookie })).json()
  expect(page.events.map((event: { action: string }) => event.action)).toEqual(['key.created', 'project.created'])
  const other = `/dashboard/api/projects/${foreign.id}/audit-events`
  expect((await api.ask('GET', other, { cookie: api.owner.cookie })).statusCode).toBe(404)
  expect((await api.ask('GET', '/dashboard/api/ops/audit-events', { cookie: api.owner.cookie })).statusCode).toBe(404)
  const all = (
    await api.ask('GET', '/dashboard/api/ops/audit-events?action=project.created', { cookie: api.admin.cookie })
  ).json()
  expect(all.events.map((event: { projectId: string }) => event.projectId)).toEqual([foreign.id, api.project.id])
})

test('pages and exports return every event once, in the same order', async () => {
  const api = await open()
  // More than one batch of an export.
  await api.database.pool.query(
    `INSERT INTO audit_events (id, action, actor_type, actor_name, project_id, target_type, target_id, target_name)
      SELECT 'aud_' || lpad(n::text, 26, '0'), 'key.revoked', 'command_line', '', $1, 'key', 'k' || n, E'a\\nb'
      FROM generate_series(1, 1203) AS n`,
    [api.project.id],
  )
  const { cookie } = api.owner
  const paged: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = `?limit=200${cursor && `&cursor=${cursor}`}`
    const page = (await api.ask('GET', `${api.path}${query}`, { cookie })).json()
    paged.push(...page.events.map((event: { id: string }) => event.id))
    cursor = page.nextCursor
  }
  expect(new Set(paged).size).toBe(1_205)
  const exported = await api.ask('GET', `${api.path}.jsonl`, { cookie })
  expect(exported.headers['content-disposition']).toContain('audit-events.jsonl')
  const lines = exported.body.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(paged)
  const since = JSON.parse(lines[9] ?? '').createdAt
  const recent = (await api.ask('GET', `${api.path}?since=${encodeURIComponent(since)}`, { cookie })).json()
  expect(recent.events.length).toBeGreaterThanOrEqual(10)
  expect((await api.ask('GET', `${api.path}?cursor=x`, { cookie })).statusCode).toBe(400)
  expect((await api.ask('GET', `${api.path}?action=none.such`, { cookie })).statusCode).toBe(400)
})
