import { loadApiConfig, startApi } from '@corrigenda/api'
import type { UpdateProjectSettings } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createKey } from '@corrigenda/core/keys'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { openTestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'

const SECRET = 'a-secret-for-the-end-to-end-tests-0123456789'

/** Opens a complete service behind its HTTP API: database, Git host, model and, by default, one worker. */
export async function openHostedService(
  settings: Record<string, string> = {},
  { hasWorker = true, ...options }: { hasWorker?: boolean } & Parameters<typeof openTestService>[1] = {},
) {
  const service = await openTestService('postgres', { ...options, settings: () => settings })
  const { databaseUrl } = service.config
  const log = openLog({ level: 'info', secrets: [], destination: { write: () => {} } })
  const startAgain = (port = 0) => {
    const address = { HOST: '127.0.0.1', PORT: String(port) }
    const env = { DATABASE_URL: databaseUrl, CORRIGENDA_SECRET: SECRET, ...address, ...settings }
    return startApi(loadApiConfig(env), log)
  }
  let api = await startAgain()
  const { keyPepper, deployTargetKey } = deriveSecrets(SECRET)
  const projectId = service.project.id
  const { key } = await createKey(
    { audit: COMMAND_LINE, ...service.database, keyPepper },
    {
      projectId,
      name: 'e2e',
      scopes: ['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'],
      expiresInDays: null,
    },
  )
  const update = (change: UpdateProjectSettings, allowedHookHosts: readonly string[] = []) =>
    updateProjectSettings(
      {
        audit: COMMAND_LINE,
        ...service.database,
        allowedRepositoryHosts: service.config.allowedRepositoryHosts,
        allowedHookHosts,
        deployTargetKey,
      },
      { projectId, change },
    )
  if (hasWorker) await service.startWorker()
  return {
    ...service,
    url: api.url,
    projectId,
    key,
    updateProject: (change: UpdateProjectSettings) => update(change),
    deployTo: (hook: string) =>
      update(
        {
          deployTarget: { kind: 'hook', url: hook },
          previewUrlTemplate: 'https://{branchSlug}.preview.example.com',
        },
        [new URL(hook).host],
      ),
    /**
     * Restarts the API, as happens when a new version is deployed. All connections are closed, and
     * the URL does not change.
     */
    restartApi: async () => {
      const port = Number(new URL(api.url).port)
      await api.close()
      api = await startAgain(port)
    },
    close: async () => {
      await api.close()
      await service.close()
    },
  }
}
