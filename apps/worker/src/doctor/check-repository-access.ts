import { type Database, deriveSecrets, openLog } from '@corrigenda/core'
import type { WorkerConfig } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { buildGitHub } from '../git-host/github/build-github.ts'
import { buildProjectCredentials } from '../git-host/project-credentials.ts'
import { withGitHost } from './with-git-host.ts'

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
    buildCredentials: buildGitHub({ apiUrl: config.github.apiUrl, version: VERSION }).buildCredentials,
  }).forProject(project.id)
  return withGitHost(
    config,
    project.repositoryUrl,
    async (gitHost) => {
      const found = await gitHost.getRepository()
      if (found.isArchived) throw new Error('The repository is archived, so nothing can be pushed to it.')
      if (found.mayPush === false)
        throw new Error('The credential may read this repository but not push to it. Grant it contents: write.')
      return `readable and writable, default branch ${found.defaultBranch}`
    },
    credentials,
  )
}
