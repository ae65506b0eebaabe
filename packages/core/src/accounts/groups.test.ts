import { expect, test } from 'vitest'
import { toGroupRights } from './groups.ts'

const rule = (group: string, projectId: string, role: 'owner' | 'member' | 'viewer') => ({ group, projectId, role })

test('a user gets the highest role in each project, regardless of the order of the rules', () => {
  const rules = [rule('a', 'p', 'viewer'), rule('b', 'p', 'owner'), rule('c', 'p', 'member'), rule('a', 'q', 'viewer')]
  const own = { admins: [], roles: rules }
  expect(toGroupRights(own, ['a', 'b', 'c']).roles).toEqual([rules[1], rules[3]])
  expect(toGroupRights({ ...own, roles: rules.toReversed() }, ['c', 'a']).roles).toEqual([rules[3], rules[2]])
})

test('of several groups with the same right, the first rule is named', () => {
  const roles = [rule('a', 'p', 'member'), rule('b', 'p', 'member')]
  expect(toGroupRights({ admins: ['x', 'y'], roles }, ['b', 'y', 'a', 'x'])).toEqual({
    adminGroup: 'x',
    roles: [roles[0]],
  })
})

test('names are compared exactly', () => {
  const rules = { admins: ['ops'], roles: [rule('/acme/docs', 'p', 'member')] }
  const others = ['Ops', 'ops ', 'op', 'ops/eu', '/acme', '/acme/docs/', 'acme/docs', '/acme/docs/sub', 'constructor']
  expect(toGroupRights(rules, others)).toEqual({ adminGroup: null, roles: [] })
})
