import { Deployment } from '@corrigenda/contracts'
import { createDeployment } from '@corrigenda/core/deployments'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const SETTINGS = { allowedRepositoryHosts: [], allowedHookHosts: [], deployTargetKey: Buffer.alloc(32, 9) }
const TARGET = { kind: 'hook', url: 'https://example.com/hook' } as const

/**
 * Opens the API with a deploy target, and with a key that has the default scopes of `corrigenda key
 * create`.
 */
async function openApi() {
  const api = await openTestApi()
  const setTarget = (projectId: string) =>
    updateProjectSettings(
      { ...api.database, ...SETTINGS },
      {
        projectId,
        change: {
          deployTarget: TARGET,
        },
      },
    )
  await setTarget(api.project.id)
  const { key } = await api.makeKey(api.project.id, { scopes: ['jobs:read', 'jobs:write', 'project:deploy'] })
  const trigger = (projectId = api.project.id, headers: Record<string, string> = {}, payload?: string) =>
    api.app.inject({
      method: 'POST',
      url: `/v1/project/update/${projectId}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
  const read = (path: string, withKey = key, headers: Record<string, string> = {}) =>
    api.app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${withKey}`, ...headers } })
  return { ...api, key, trigger, read, setTarget }
}

test('a deployment is accepted with an empty or missing body, and the response contains only its id', async () => {
  const api = await openApi()
  const json = { 'content-type': 'application/json' }
  for (const response of [
    await api.trigger(),
    await api.trigger(api.project.id, json, ''),
    await api.trigger(api.project.id, json, '{}'),
  ]) {
    expect([response.statusCode, response.headers['content-type']]).toEqual([202, 'application/json; charset=utf-8'])
    expect(Object.keys(response.json())).toEqual(['statusId'])
    const status = await api.read(`/v1/project/update-status/${response.json().statusId}`)
    expect(status.statusCode).toBe(200)
    expect(Deployment.strict().parse(status.json())).toMatchObject({
      _id: response.json().statusId,
      projectId: api.project.id,
      status: 'queued',
      source: 'api',
      trigger: 'api',
      subdomain: '',
      screenshot: '',
      screenshotLight: '',
      screenshotDark: '',
      author: null,
      preview: null,
      commit: null,
      jobId: null,
    })
  }
  expectError(await api.trigger(api.project.id, json, '{'), 400, 'invalid_json')
  expectError(await api.trigger(api.project.id, { 'content-type': 'text/plain' }, 'x'), 415, 'unsupported_media_type')
})

test('without a deploy target, the error explains how to configure one', async () => {
  const api = await openApi()
  const bare = await api.makeProject()
  const { key } = await api.makeKey(bare.id, { scopes: ['project:deploy'] })
  const response = await api.trigger(bare.id, { authorization: `Bearer ${key}` })
  expectError(response, 409, 'no_deploy_target')
  expect(response.json().error).toContain('corrigenda project update')
})

test('returns 429 with Retry-After for more than 10 requests per project in 10 seconds', async () => {
  const api = await openApi()
  const responses = await Promise.all(Array.from({ length: 15 }, () => api.trigger()))
  const refused = responses.filter((response) => response.statusCode !== 202)
  expect(refused).toHaveLength(5)
  for (const response of refused) {
    expectError(response, 429, 'deploy_rate_exceeded')
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(10)
  }
  const other = await api.makeProject()
  await api.setTarget(other.id)
  const { key } = await api.makeKey(other.id, { scopes: ['project:deploy'] })
  expect((await api.trigger(other.id, { authorization: `Bearer ${key}` })).statusCode).toBe(202)
})

test('returns 401 without a key, 404 for inaccessible objects, and 403 for a missing scope or a disallowed IP address', async () => {
  const api = await openApi()
  const { statusId } = (await api.trigger()).json()
  const path = `/v1/project/update-status/${statusId}`
  const list = `/v1/project/${api.project.id}/updates`
  const other = await api.makeProject()
  const stranger = await api.makeKey(other.id, { scopes: ['jobs:read', 'jobs:write', 'project:deploy'] })
  const reader = await api.makeKey(api.project.id, { scopes: ['jobs:read'] })
  const elsewhere = await api.makeKey(api.project.id, { scopes: ['project:deploy'], allowedCidrs: ['203.0.113.0/24'] })
  for (const url of [path, list]) {
    expectError(await api.read(url, 'none'), 401, 'unauthorized')
    expectError(await api.read(url, elsewhere.key), 403, 'address_not_allowed')
    expect((await api.read(url, elsewhere.key, { 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(200)
    expect((await api.read(url, reader.key)).statusCode).toBe(200)
  }
  expectError(await api.trigger(api.project.id, { authorization: 'Bearer none' }), 401, 'unauthorized')
  expectError(await api.trigger(api.project.id, { authorization: `Bearer ${reader.key}` }), 403, 'scope_missing')
  expectError(
    await api.trigger(api.project.id, { authorization: `Bearer ${elsewhere.key}` }),
    403,
    'address_not_allowed',
  )
  const missing = [
    await api.read(path, stranger.key),
    await api.read(list, stranger.key),
    await api.read(`/v1/project/update-status/dep_${'0'.repeat(26)}`),
    await api.read('/v1/project/update-status/nonsense'),
    await api.trigger(other.id),
    await api.trigger('prj_none'),
  ]
  for (const response of missing) expectError(response, 404, 'not_found')
  expect(new Set(missing.map((response) => response.body)).size).toBe(1)
})

test('the deploy hook URL never appears in a response or a log', async () => {
  const api = await openApi()
  await updateProjectSettings(
    { ...api.database, ...SETTINGS },
    {
      projectId: api.project.id,
      change: {
        deployTarget: { kind: 'hook', url: 'https://example.com/secret-path-4711' },
      },
    },
  )
  const { statusId } = await createDeployment(api.database, {
    projectId: api.project.id,
    jobId: null,
    trigger: 'merge',
  })
  const status = await api.read(`/v1/project/update-status/${statusId}`)
  expect(status.json()).toMatchObject({ source: 'github', trigger: 'merge' })
  expect(status.body + api.lines.join('')).not.toContain('4711')
})

test('a preview returns its URL, its status can be read, and it needs a branch, a URL template and the scope', async () => {
  const api = await openApi()
  const ask = (body: unknown, key = api.key, projectId = api.project.id) =>
    api.app.inject({
      method: 'POST',
      url: `/v1/project/preview/${projectId}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
  const branch = 'docs/new-page'
  const refused = await ask({ branch })
  expectError(refused, 409, 'no_preview_url')
  expect(refused.json().error).toContain('--preview-url')
  const previewUrlTemplate = 'https://{branchSlug}.preview.example.com'
  await updateProjectSettings(
    { ...api.database, ...SETTINGS },
    { projectId: api.project.id, change: { previewUrlTemplate } },
  )
  const response = await ask({ branch })
  expect(response.statusCode).toBe(202)
  const { statusId, ...rest } = response.json()
  expect(rest).toEqual({ previewUrl: 'https://docs-new-page.preview.example.com/' })
  expect((await api.read(`/v1/project/update-status/${statusId}`)).json()).toMatchObject({
    status: 'queued',
    source: 'api',
    trigger: 'api',
    preview: { branch, url: rest.previewUrl },
  })
  for (const body of [{}, { branch: '' }, { branch: 7 }, { branch: '../x' }]) {
    expectError(await ask(body), 400, 'invalid_request')
  }
  const reader = await api.makeKey(api.project.id, { scopes: ['jobs:read', 'jobs:write'] })
  expectError(await ask({ branch }, reader.key), 403, 'scope_missing')
  expectError(await ask({ branch }, api.key, (await api.makeProject()).id), 404, 'not_found')
  for (let n = 0; n < 4; n += 1) expect((await ask({ branch })).statusCode).toBe(202)
  const limited = await ask({ branch })
  expectError(limited, 429, 'deploy_rate_exceeded')
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(10)
})
