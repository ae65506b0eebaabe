import { ProjectSource, toRepositoryAddress } from '@corrigenda/contracts'

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
