import { DOCS_SOURCE, type JobOptions } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'

/**
 * Rejects a job that names a source which the project does not have.
 * @param sources the sources of the project
 * @throws AppError `invalid_request` that lists the names of the sources
 */
export function refuseUnknownSources(
  asked: JobOptions['sources'],
  sources: readonly { readonly name: string }[],
): void {
  const names = [DOCS_SOURCE, ...sources.map(({ name }) => name)]
  const unknown = asked?.find(({ name }) => !names.includes(name))
  if (unknown === undefined) return
  throw new AppError(
    'invalid_request',
    `The project has no source "${unknown.name}". Its sources are ${names.join(', ')}. An owner can add sources in the project settings.`,
  )
}
