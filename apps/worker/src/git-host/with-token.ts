import type { RepositoryAddress } from '@corrigenda/contracts'
import { GitHttpError } from '@corrigenda/git/http'
import type { Access, Credentials } from './credentials.ts'
import { GitHostError } from './git-host-error.ts'

/**
 * Runs work that requires a token. If the host rejects an App's token (because it was revoked, or
 * the host's and worker's clocks differ), runs the work once more with a new token. A personal
 * token cannot be replaced.
 * @throws errors from `work` and getToken
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

/**
 * Returns the dependencies with the project's credentials. Call this before working on anything
 * that a worker has claimed. `secrets` is a copy for this work: it contains the process's secrets
 * and grows by the credential of this project only, so that a token of one project does not redact
 * or reject texts of another.
 */
export function forProject<T extends { readonly credentials: Credentials; readonly secrets?: readonly string[] }>(
  deps: T,
  projectId: string,
): T {
  const secrets = [...(deps.secrets ?? [])]
  const credentials = deps.credentials.forProject(projectId, (secret) => {
    if (!secrets.includes(secret)) secrets.push(secret)
  })
  return { ...deps, credentials, secrets }
}
