import type { Credentials } from './credentials.ts'

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
