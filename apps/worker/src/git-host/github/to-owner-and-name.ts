import { checkRepositoryPath, type RepositoryAddress } from '@corrigenda/contracts'

export interface OwnerAndName {
  readonly owner: string
  readonly repo: string
}

/** @throws Error when the path is not `owner/name` */
export function toOwnerAndName(repository: RepositoryAddress): OwnerAndName {
  checkRepositoryPath(repository)
  const [owner = '', repo = ''] = repository.path.split('/')
  return { owner, repo }
}
