import { expect, test } from 'vitest'
import { DEFAULT_SCOPES, toScopes } from './api-key.ts'

test('viewers only read, and only owners manage webhooks', () => {
  expect(toScopes('viewer')).toEqual(['jobs:read'])
  expect(toScopes('member')).toEqual(['jobs:read', 'jobs:write', 'project:deploy'])
  expect(toScopes('owner')).toEqual(['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'])
})

test('the dashboard selects for a new key what a backend needs', () => {
  expect(DEFAULT_SCOPES).toEqual(['jobs:read', 'jobs:write'])
})
