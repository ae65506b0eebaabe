import { expect, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { openTestApi } from '../test-support/open-test-api.ts'

test('a path with a trailing slash is the same endpoint, with the same access', async () => {
  const { app, key, project, makeKey, makeProject } = await openTestApi()
  const foreign = await makeKey((await makeProject()).id)
  const ask = (method: 'GET' | 'POST', url: string, bearer = key) =>
    app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { payload: { prompt: 'Fix the typo.' } }),
    })
  for (const prefix of ['/v2/agent', '/api/agent/v2']) {
    const created = await ask('POST', `${prefix}/${project.id}/job/`)
    expect(created.statusCode).toBe(201)
    const job = `${prefix}/${project.id}/job/${created.json().id}`
    for (const path of [job, `${job}/events`, `${job}/changes`, `${prefix}/${project.id}/jobs`, '/v1/me', '/healthz']) {
      const [plain, slashed] = [await ask('GET', path), await ask('GET', `${path}/`)]
      // The time until the quota is free again can differ.
      const [expected, body] = [plain, slashed].map((response) => response.body.replace(/"resetSeconds":\d+/g, ''))
      expect([path, slashed.statusCode, body]).toEqual([path, 200, expected])
    }
    expectError(await ask('GET', `${job}/`, foreign.key), 404, 'not_found')
    expectError(await ask('POST', `${prefix}/${project.id}/job/`, 'cgd_wrong'), 401, 'unauthorized')
    const refused = await ask('POST', `${job}/`)
    expectError(refused, 405, 'method_not_allowed')
    expect(refused.headers.allow).toBe('DELETE, GET, HEAD')
    expectError(await ask('GET', `${job}//`), 404, 'unknown_path')
  }
})

test('an unknown path of the hosted API returns what to call instead', async () => {
  const { app } = await openTestApi()
  const ask = async (url: string): Promise<string> => {
    const response = await app.inject({ method: 'POST', url, payload: {} })
    expectError(response, 404, 'unknown_path')
    return response.json().error
  }
  for (const url of ['/v1/agent/prj_x/jobs/list', '/v2/agent', '/v3/agent/prj_x/job?x=1', '/agent/prj_x/job']) {
    expect([url, await ask(url)]).toEqual([url, expect.stringContaining('POST /v2/agent/{projectId}/job ')])
  }
  expect(await ask('/v1/workflow/prj_x/schema/trigger')).toMatch(/does not have it\. \/reference lists/)
  for (const url of ['/v1x', '/nothing']) expect(await ask(url)).toBe('This path does not exist. Check the URL.')
})
