import type { ProjectSettings } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openUsersApi } from '../../test-support/open-users-api.ts'

test('only the source that an admin saves may be read with the credentials of the instance', async () => {
  const api = await openUsersApi()
  const url = `/dashboard/api/projects/${api.project.id}/settings`
  const { cookie: owner } = await api.makeUser({ role: 'owner' })
  const { cookie: admin } = await api.makeUser({ isAdmin: true })
  const toSource = (name: string, rest = {}) => ({ name, repository: `https://github.com/other/${name}`, ...rest })
  const save = async (cookie: string, body: object) => {
    const response = await api.ask('PATCH', url, { cookie, body })
    expect([response.statusCode, response.json()]).toMatchObject([200, {}])
    return (response.json() as ProjectSettings).sourceCredentials.map(({ source, kind }) => `${source} ${kind}`)
  }
  const [x, y] = [toSource('x'), toSource('y')]
  // The name of the saved source is of no use to an owner.
  expect(await save(owner, { sources: [x], savedSource: 'x' })).toEqual(['x none'])
  expect(await save(admin, { sources: [x, y], savedSource: 'y' })).toEqual(['x none', 'y instance'])
  expect(await save(admin, { sources: [x, { ...y, cite: 'none' }], savedSource: 'y' })).toEqual([
    'x none',
    'y instance',
  ])
  // A removal, other settings, and a page whose entry of another source is out of date.
  expect(await save(admin, { sources: [x] })).toEqual(['x none'])
  expect(await save(admin, { policy: { draft: true } })).toEqual(['x none'])
  expect(await save(admin, { sources: [toSource('x', { ref: 'old' }), y], savedSource: 'y' })).toEqual([
    'x none',
    'y instance',
  ])
  // An admin saves the source itself without a change.
  expect(await save(admin, { sources: [toSource('x', { ref: 'old' }), y], savedSource: 'x' })).toEqual([
    'x instance',
    'y instance',
  ])
  expect(await save(owner, { sources: [x, y], savedSource: 'x' })).toEqual(['x instance', 'y instance'])
  expect(await save(owner, { sources: [toSource('x', { repository: toSource('z').repository }), y] })).toEqual([
    'x none',
    'y instance',
  ])
  expectError(await api.ask('PATCH', url, { cookie: admin, body: { savedSources: 'x' } }), 400, 'invalid_request')
})
