import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { ensureSigningKey, openInstance } from '@corrigenda/core/instance'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import type { GitHost } from '@corrigenda/testkit'

export interface Project {
  readonly id: string
  readonly key: string
  /** `owner/name` of its repository. */
  readonly repository: string
}

/** Creates projects with one API key each, as the CLI does, and the key that signs commits. */
export async function createProjects(input: {
  databaseUrl: string
  secret: string
  host: GitHost
  /** One project per entry. Projects may share a repository. */
  repositories: readonly string[]
}): Promise<{ projects: Project[]; signingKey: string }> {
  const { databaseUrl: url, host } = input
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  try {
    const secrets = await openInstance(database, { secret: input.secret, previousSecret: null })
    const { keyPepper } = secrets
    const { publicKey } = await ensureSigningKey({ audit: COMMAND_LINE, ...database, ...secrets })
    const projects: Project[] = []
    for (const [index, repository] of input.repositories.entries()) {
      const project = await createProject(
        { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: [new URL(host.url).host] },
        { name: `Project ${index}`, repository: host.repositoryUrl(repository), baseBranch: null },
      )
      const { key } = await createKey(
        { audit: COMMAND_LINE, ...database, keyPepper },
        { projectId: project.id, name: 'chaos', scopes: ['jobs:read', 'jobs:write'], expiresInDays: null },
      )
      projects.push({ id: project.id, key, repository })
    }
    return { projects, signingKey: publicKey }
  } finally {
    await database.close()
  }
}
