import { KeyScope, UpdateProjectSettings } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { updateProjectSettings } from '@corrigenda/core/projects'
import type { OpenApiDocument } from '../../public/openapi/openapi.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'
import { buildApiDocument, type Call } from './api-document.ts'
import { type Answer, type Sent, send } from './send.ts'

export type PathValues = Readonly<Record<string, string>>

/**
 * Starts the application on a real port, and returns helpers that create the objects that
 * operations need.
 */
export async function openContractApi() {
  const api = await openTestApi({ quota: { limit: 1_000_000, windowSeconds: 3600 } })
  const origin = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const projectId = api.project.id
  const hosts = { allowedRepositoryHosts: ['github.com'], allowedHookHosts: ['hooks.example.com'] }
  const deployTargetKey = Buffer.alloc(32, 9)
  const target = { kind: 'hook' as const, url: 'https://hooks.example.com/deploy' }
  await updateProjectSettings(
    { audit: COMMAND_LINE, prisma: api.database.prisma, ...hosts, deployTargetKey },
    {
      projectId,
      change: UpdateProjectSettings.parse({
        deployTarget: target,
        previewUrlTemplate: 'https://{branchSlug}.preview.example.com',
        // The source that the example request names.
        sources: [{ name: 'cli', repository: 'https://github.com/acme/cli' }],
      }),
    },
  )
  const makeKey = async (scopes: KeyScope[], project = projectId) => (await api.makeKey(project, { scopes })).key
  const makeAllBut = (scope: KeyScope) => makeKey(KeyScope.options.filter((option) => option !== scope))
  const full = await makeKey([...KeyScope.options])
  const other = await api.makeProject()
  const foreign = await makeKey([...KeyScope.options], other.id)
  const keys = {
    full,
    foreign,
    elsewhere: (await api.makeKey(projectId, { allowedCidrs: ['203.0.113.0/24'] })).key,
    without: {
      'jobs:read': await makeAllBut('jobs:read'),
      'jobs:write': await makeAllBut('jobs:write'),
      'project:deploy': await makeAllBut('project:deploy'),
      'webhooks:write': await makeAllBut('webhooks:write'),
    },
  }
  const ask = (sent: Sent): Promise<Answer> => send(origin, sent)
  const document: OpenApiDocument = JSON.parse((await ask({ method: 'GET', path: '/openapi.json' })).text)

  /** Sends a setup request with the key that has all scopes. @throws Error if it is rejected */
  const must = async (method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${full}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const response = await ask({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return JSON.parse(response.text)
  }
  const makeJob = async () => String((await must('POST', `/v2/agent/${projectId}/job`, { prompt: 'x' })).id)
  const makeEndedJob = async () => {
    const id = await makeJob()
    await must('POST', `/v2/agent/${projectId}/job/${id}/cancel`)
    return id
  }
  const makeWebhook = async () => {
    const all = `/v1/project/${projectId}/webhooks`
    const { webhooks } = await must('GET', all)
    // A project is limited to ten webhooks.
    if (webhooks.length > 7) {
      const headers = { authorization: `Bearer ${full}` }
      for (const { id } of webhooks) await ask({ method: 'DELETE', path: `${all}/${id}`, headers })
    }
    return String((await must('POST', all, { url: 'https://hooks.example.com/w' })).id)
  }
  // Created only once, because more than ten deployment requests in ten seconds are rejected.
  let statusId: string | undefined

  /**
   * Creates the objects that the operation requires, in the required state, and returns their path
   * values.
   */
  const makeValues = async (call: Call): Promise<PathValues> => {
    const values: Record<string, string> = { projectId }
    const names = new Set(call.parameters.filter((p) => p.in === 'path').map((p) => p.name))
    if (call.name === 'createWebhook') await makeWebhook()
    if (call.path.includes('/webhooks')) {
      if (names.has('id')) values.id = await makeWebhook()
      if (names.has('deliveryId')) {
        const { id } = await must('POST', `/v1/project/${projectId}/webhooks/${values.id}/test`)
        values.deliveryId = id
      }
    } else if (names.has('id')) {
      values.id = ['archiveJob', 'deleteJob', 'retryJob'].includes(call.name) ? await makeEndedJob() : await makeJob()
    }
    if (names.has('statusId')) {
      statusId ??= (await must('POST', `/v1/project/update/${projectId}`)).statusId as string
      values.statusId = statusId
    }
    for (const name of names) if (!values[name]) throw new Error(`${call.name}: no value for the parameter ${name}`)
    return values
  }

  return { ...api, origin, projectId, keys, ask, must, makeValues, makeEndedJob, parsed: buildApiDocument(document) }
}

export type ContractApi = Awaited<ReturnType<typeof openContractApi>>

export const fillPath = (path: string, values: PathValues): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
