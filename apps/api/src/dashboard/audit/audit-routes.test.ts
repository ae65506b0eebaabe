import { COMMAND_LINE } from '@corrigenda/core/audit'
import { recordAuditEvent } from '@corrigenda/core/internal/audit/record-audit-event'
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
  for (let n = 0; n < 1_203; n += 1) {
    await api.database.prisma.$transaction((tx) =>
      recordAuditEvent(tx, COMMAND_LINE, {
        action: 'key.revoked',
        projectId: api.project.id,
        target: { type: 'key', id: `k${n}`, name: 'a\nb' },
      }),
    )
  }
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
