import { KeyScope, ProjectSource, toRepositoryAddress } from '@corrigenda/contracts'
import { createKey, listKeys, revokeKey } from '@corrigenda/core/keys'
import { createProject, listProjects, toRunSettings, updateProjectSettings } from '@corrigenda/core/projects'
import type { CommandPlace } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'

const NAME = 'Quickstart'
const KEY_NAME = 'quickstart'

/**
 * Returns the quickstart project for this repository and a new key. Creates the project on the
 * first call, adds the missing sources, and revokes keys from earlier calls.
 * @param input.sources of the demo, which are added only to a project without sources
 * @param input.sourceUrls repositories to add as sources
 */
export function ensureDemoProject(
  place: CommandPlace,
  input: {
    readonly repository: string
    readonly sources: readonly ProjectSource[]
    readonly sourceUrls: readonly string[]
  },
): Promise<{ projectId: string; key: string; isNew: boolean }> {
  return withDatabaseAccess(place, async (access) => {
    const { repository } = input
    const url = repository.replace(/\/$/, '').replace(/\.git$/, '')
    const known = (await listProjects(access)).find((project) => project.name === NAME && project.repositoryUrl === url)
    const project = known ?? (await createProject(access, { name: NAME, repository, baseBranch: null }))
    const { sources: existing } = toRunSettings(project.settings)
    const added = existing.length === 0 ? [...input.sources] : []
    added.push(...toSources(input.sourceUrls, [...existing, ...added]))
    if (added.length > 0) {
      const change = { sources: [...existing, ...added] }
      const untouchedSources = existing.map(({ name }) => name)
      await updateProjectSettings(access, { projectId: project.id, change, untouchedSources })
    }
    for (const old of await listKeys(access, project.id)) {
      if (old.name === KEY_NAME && !old.revokedAt) await revokeKey(access, old.id)
    }
    const { key } = await createKey(access, {
      projectId: project.id,
      name: KEY_NAME,
      // All scopes, so that every command in the documentation works with this key.
      scopes: [...KeyScope.options],
      expiresInDays: 7,
    })
    return { projectId: project.id, key, isNew: known === undefined }
  })
}

/**
 * Returns the sources to add for these repository URLs, without repositories that are sources
 * already. A source is named after its repository, or after its owner and repository if that name
 * is reserved or taken.
 * @throws Error if a URL is invalid or has no free name
 */
export function toSources(
  urls: readonly string[],
  existing: readonly Pick<ProjectSource, 'name' | 'repository'>[],
): ProjectSource[] {
  const added: ProjectSource[] = []
  for (const url of urls) {
    const address = toRepositoryAddress(url)
    const taken = [...existing, ...added]
    if (taken.some(({ repository }) => repository === address.url)) continue
    const source = [address.name, address.path]
      .map((text) => ProjectSource.safeParse({ name: toSourceName(text), repository: address.url }).data)
      .find((one) => one !== undefined && !taken.some(({ name }) => name === one.name))
    if (source === undefined) {
      throw new Error(`The source ${address.url} has no free name. Add it on the Settings page of the dashboard.`)
    }
    added.push(source)
  }
  return added
}

const toSourceName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
