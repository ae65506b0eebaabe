import { COMMAND_LINE } from '@corrigenda/core/audit'
import { migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createJob } from '@corrigenda/core/jobs'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'

/** A project with its key and the ids of its jobs. */
export interface BenchProject {
  readonly id: string
  readonly key: string
  readonly jobs: readonly string[]
}

/** Creates projects with jobs in a new database. */
export async function prepare(
  url: string,
  { secret, projects, jobs }: { secret: string; projects: number; jobs: number },
): Promise<BenchProject[]> {
  await migrateDatabase({ url })
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  const { keyPepper } = deriveSecrets(secret)
  const deps = {
    ...database,
    audit: COMMAND_LINE,
    keyPepper,
    allowedRepositoryHosts: ['github.com'],
    defaultModel: 'm-1',
    queue: { wakeWorker: async () => {} },
    log: openLog({ level: 'silent', secrets: [] }),
    quota: { limit: 1_000_000, windowSeconds: 3_600 },
  }
  try {
    const made: BenchProject[] = []
    for (let n = 0; n < projects; n += 1) {
      const repository = 'https://github.com/acme/docs'
      const { id } = await createProject(deps, { name: `bench ${n}`, repository, baseBranch: null })
      const key = { projectId: id, name: 'bench', scopes: ['jobs:read' as const], expiresInDays: null }
      const ids: string[] = []
      for (let job = 0; job < jobs; job += 1) {
        const request = { prompt: 'Document the new --json flag of the export command.' }
        const created = await createJob(deps, { projectId: id, request, idempotencyKey: null })
        ids.push(created.job.id)
      }
      made.push({ id, key: (await createKey(deps, key)).key, jobs: ids })
    }
    return made
  } finally {
    await database.close()
  }
}
