import { buildCorrigenda, type Corrigenda, CorrigendaError } from '@corrigenda/client'

/**
 * Returns the HTTP client that the commands use for one project.
 * @throws Error if the key is missing or the URL is invalid
 */
export function openClient(input: { url: string; key: string | undefined; projectId: string }): Corrigenda {
  const { url, key, projectId } = input
  if (!key)
    throw new Error('An API key is required. Set CORRIGENDA_API_KEY. Create a key with "corrigenda key create".')
  if (!URL.canParse(url)) throw new Error(`"${url}" is not a URL. Check --url or CORRIGENDA_URL.`)
  // A user is waiting at the terminal, so an unreachable API is reported quickly.
  return buildCorrigenda({ baseUrl: url, apiKey: key, projectId, pollMs: 500, retries: { maxAttempts: 3 } })
}

/** Returns a client error's message with a fix for CLI users, or null for all other errors. */
export function explainClientError(error: unknown): string | null {
  if (!(error instanceof CorrigendaError)) return null
  if (error.code === 'connection_failed')
    return `${error.message} Make sure the API is running and check --url or CORRIGENDA_URL.`
  if (error.code === 'not_the_api') return `${error.message} Check --url or CORRIGENDA_URL.`
  return error.message
}
