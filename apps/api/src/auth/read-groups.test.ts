import { expect, test } from 'vitest'
import { readGroups } from './build-group-sign-in.ts'

test.each([
  ['an array', { groups: ['docs', '/acme/docs'] }, 'groups', ['docs', '/acme/docs']],
  ['one group as a text', { groups: 'docs' }, 'groups', ['docs']],
  ['an absent claim', {}, 'groups', []],
  ['null', { groups: null }, 'groups', []],
  ['an empty array', { groups: [] }, 'groups', []],
  ['a path', { realm_access: { roles: ['docs'] } }, 'realm_access.roles', ['docs']],
  ['a name with dots', { 'https://acme.example/groups': ['docs'] }, 'https://acme.example/groups', ['docs']],
  ['a name before a path', { 'a.b': ['name'], a: { b: ['path'] } }, 'a.b', ['name']],
  ['a path through a text', { realm_access: 'roles' }, 'realm_access.length', []],
  ['an inherited property', {}, 'constructor.name', []],
  ['another claim that is elsewhere', { _claim_names: { roles: 'src1' } }, 'groups', []],
])('reads %s', (_name, claims, claim, groups) => {
  expect(readGroups(claims, claim)).toEqual(groups)
})

test.each([
  ['a long text', { groups: 'x'.repeat(1001) }, /too long/],
  ['a number', { groups: 1 }, /is not a string or an array/],
  ['an object', { groups: { 0: 'docs' } }, /is not a string or an array/],
  ['a number in the array', { groups: ['docs', 1] }, /not a string/],
  ['a nested array', { groups: [['docs']] }, /not a string/],
  ['a long name', { groups: ['x'.repeat(1001)] }, /too long/],
  ['too many groups', { groups: Array.from({ length: 5001 }, (_, n) => `g${n}`) }, /5001 groups/],
  ['a claim that is elsewhere', { _claim_names: { groups: 'src1' } }, /too many groups/],
])('rejects %s', (_name, claims, message) => {
  expect(() => readGroups(claims, 'groups')).toThrow(message)
})
