import { type Database, deriveSecrets, openLog } from '@corrigenda/core'
import type { WorkerConfig } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { buildProjectCredentials } from '../github/project-credentials.ts'
import { withRepository } from '../github/with-repository.ts'

/**
 * Can this installation read the repository of a project and push to it? Asks with the credential that jobs would use.
 * @returns what was found, as a sentence
 * @throws Error that names what is missing
 */
export function checkRepositoryAccess(
  config: WorkerConfig,
  { prisma }: Pick<Database, 'prisma'>,
  project: { id: string; repositoryUrl: string },
): Promise<string> {
  const credentials = buildProjectCredentials({
    prisma,
    credentialKey: deriveSecrets(config.secret).credentialKey,
    log: openLog({ level: 'silent', secrets: [] }),
    secrets: [],
    source: config.github.source,
    github: { apiUrl: config.github.apiUrl, version: VERSION },
  }).forProject(project.id)
  return withRepository(
    config,
    project.repositoryUrl,
    async (github) => {
      const { owner, name: repo } = github.repository
      const found = await github.call('read the repository', (octokit, request) =>
        octokit.repos.get({ owner, repo, request }),
      )
      if (found.archived) throw new Error('The repository is archived, so nothing can be pushed to it.')
      if (found.permissions && !found.permissions.push)
        throw new Error('The credential may read this repository but not push to it. Grant it contents: write.')
      return `readable and writable, default branch ${found.default_branch}`
    },
    credentials,
  )
}
