import { expect, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { openTestApi } from '../test-support/open-test-api.ts'
import { BROWSER, openUsersApi } from '../test-support/open-users-api.ts'

const BODY = '{"prompt":"List the new endpoints."}'

test.each([undefined, 'text/plain', 'text/plain;charset=UTF-8', 'TEXT/PLAIN ; charset=utf-8'])(
  'a job endpoint accepts a JSON object with the content type %s',
  async (type) => {
    const api = await openTestApi()
    for (const path of [`/v2/agent/${api.project.id}/job`, `/api/agent/v2/${api.project.id}/job`]) {
      const send = (payload: string, authorization = `Bearer ${api.key}`) =>
        api.app.inject({
          method: 'POST',
          url: path,
          payload,
          headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
        })
      expect((await send(BODY)).statusCode, path).toBe(201)
      for (const other of [`prompt=x`, '[]', '"x"', 'null', '{"prompt":']) {
        expectError(await send(other), 415, 'unsupported_media_type')
      }
      expectError(await send(BODY, 'Bearer cgd_x'), 401, 'unauthorized')
    }
  },
)

test('other endpoints and other content types need application/json', async () => {
  const api = await openTestApi()
  const send = (url: string, type: string) =>
    api.app.inject({
      method: 'POST',
      url,
      payload: BODY,
      headers: { authorization: `Bearer ${api.key}`, 'content-type': type },
    })
  const job = `/v2/agent/${api.project.id}/job`
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plainer']) {
    expectError(await send(job, type), 415, 'unsupported_media_type')
  }
  expectError(await send(`/v1/project/${api.project.id}/webhooks`, 'text/plain'), 415, 'unsupported_media_type')
})

test.each([undefined, 'text/plain'])('a session cannot create a job with the content type %s', async (type) => {
  const api = await openUsersApi()
  const { cookie } = await api.makeUser({ role: 'owner' })
  const send = (headers: Record<string, string>) =>
    api.app.inject({
      method: 'POST',
      url: `/v2/agent/${api.project.id}/job`,
      payload: BODY,
      headers: { ...BROWSER, cookie, ...headers },
    })
  expectError(await send(type === undefined ? {} : { 'content-type': type }), 415, 'unsupported_media_type')
  expect((await send({ 'content-type': 'application/json' })).statusCode).toBe(201)
})
