import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestApi } from '../../test-support/open-test-api.ts'

const file = path.resolve(import.meta.dirname, '../../../../../openapi.json')

test('openapi.json in the root matches the document that the API serves (if not, run "pnpm openapi")', async () => {
  const api = await openTestApi()
  const response = await api.get('/openapi.json')
  expect(response.statusCode).toBe(200)
  await expect(`${JSON.stringify(response.json(), null, 2)}\n`).toMatchFileSnapshot(file)
})
