import { ModelError } from './model-error.ts'
import { describeMissingPackage, type Platform } from './platform.ts'

/**
 * Loads a platform's package, which is installed only where it is used.
 * @throws ModelError with a one-line message that names the package to install
 */
export async function loadPlatform<T>(kind: Platform['kind'], load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new ModelError('model_bad_request', describeMissingPackage(kind))
  }
}

const isMissing = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String((error as { code?: unknown } | null)?.code))
