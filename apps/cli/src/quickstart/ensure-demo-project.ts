import type { ProjectSource } from '@corrigenda/contracts'
import { createKey, listKeys, revokeKey } from '@corrigenda/core/keys'
import { createProject, listProjects, toRunSettings, updateProjectSettings } from '@corrigenda/core/projects'
import type { CommandPlace } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'

const NAME = 'Quickstart'
const KEY_NAME = 'quickstart'

/**
 * Returns the quickstart project for this repository and a new key. Creates the project on the
 * first call, adds the sources unless it has any, and revokes keys from earlier calls.
 */
export function ensureDemoProject(
  place: CommandPlace,
  { repository, sources }: { readonly repository: string; readonly sources: readonly ProjectSource[] },
): Promise<{ projectId: string; key: string; isNew: boolean }> {
  return withDatabaseAccess(place, async (access) => {
    const url = repository.replace(/\/$/, '').replace(/\.git$/, '')
    const known = (await listProjects(access)).find((project) => project.name === NAME && project.repositoryUrl === url)
    const project = known ?? (await createProject(access, { name: NAME, repository, baseBranch: null }))
    if (sources.length > 0 && toRunSettings(project.settings).sources.length === 0) {
      await updateProjectSettings(access, { projectId: project.id, change: { sources: [...sources] } })
    }
    for (const old of await listKeys(access, project.id)) {
      if (old.name === KEY_NAME && !old.revokedAt) await revokeKey(access, old.id)
    }
    const { key } = await createKey(access, {
      projectId: project.id,
      name: KEY_NAME,
      // All scopes, so that every command in the documentation works with this key.
      scopes: ['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'],
      expiresInDays: 7,
    })
    return { projectId: project.id, key, isNew: known === undefined }
  })
}
