import type { RepositoryAddress } from '@corrigenda/contracts'
import { GitHttpError } from '@corrigenda/git/http'
import type { Access, Credentials } from './credentials.ts'
import { GitHostError } from './git-host-error.ts'

/**
 * Runs work that needs a token. When the host rejects the token of an App (revoked, or the clocks
 * of host and worker differ), the work runs once more with a new one. A personal token cannot be
 * replaced.
 * @throws errors of `work` and of getToken
 */
export async function withToken<T>(
  credentials: Credentials,
  input: { repository: RepositoryAddress; access: Access; signal: AbortSignal },
  work: (token: string) => Promise<T>,
): Promise<T> {
  const token = await credentials.getToken(input)
  try {
    return await work(token)
  } catch (error) {
    if (!isTokenRefused(error)) throw error
    const fresh = await credentials.getToken({ ...input, refused: token })
    if (fresh === token) throw error
    return await work(fresh)
  }
}

/**
 * Returns whether the host rejected the token. A rejected request was not carried out, so it may be
 * sent again.
 */
export function isTokenRefused(error: unknown): boolean {
  return (error instanceof GitHostError || error instanceof GitHttpError) && error.code === 'unauthorized'
}
