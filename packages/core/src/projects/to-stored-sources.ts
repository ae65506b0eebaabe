import type { ProjectSource } from '@corrigenda/contracts'
import { toRepositoryUrl } from './repository-url.ts'
import type { StoredSource } from './run-settings.ts'

/**
 * Validates sources with the rules for the documentation repository, and returns their stored form.
 * @param input.sources null removes all sources
 * @param input.before the stored sources
 * @param input.isTrusted true if an admin saves the sources. Their repositories may then be read
 * with the credentials of the instance. Otherwise, this requires that an admin chose the repository
 * earlier, as a source or as the documentation repository.
 * @param input.untouched names of sources that the caller only keeps. Saving them gives them no
 * further access
 * @throws Error whose message names the source and states the problem
 */
export function toStoredSources(
  { allowedRepositoryHosts }: { readonly allowedRepositoryHosts: readonly string[] },
  input: {
    readonly sources: readonly ProjectSource[] | null
    readonly before: readonly StoredSource[]
    readonly documentation: string
    readonly isTrusted: boolean
    readonly untouched?: readonly string[]
  },
): StoredSource[] {
  const chosen = new Set([
    input.documentation,
    ...input.before.filter((source) => source.mayUseInstanceCredential).map((source) => source.repository),
  ])
  return (input.sources ?? []).map((source) => {
    const repository = toSourceUrl(source, allowedRepositoryHosts)
    const isTrusted = input.isTrusted && !input.untouched?.includes(source.name)
    return { ...source, repository, mayUseInstanceCredential: isTrusted || chosen.has(repository) }
  })
}

function toSourceUrl({ name, repository }: ProjectSource, allowedHosts: readonly string[]): string {
  try {
    return toRepositoryUrl(repository, allowedHosts)
  } catch (error) {
    throw new Error(`The source ${name} is not valid. ${(error as Error).message}`, { cause: error })
  }
}
