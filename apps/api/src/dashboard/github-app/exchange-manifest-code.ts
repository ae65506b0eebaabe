import type { NewGitHubApp } from '@corrigenda/core/credentials'
import { z } from 'zod'

const LIMIT_MS = 10_000
const MAX_BYTES = 100_000

const Conversion = z.object({
  id: z.int().positive(),
  slug: z.string().regex(/^[A-Za-z0-9-]{1,100}$/),
  name: z.string().min(1).max(200),
  html_url: z.url({ protocol: /^https?$/ }).max(500),
  client_id: z.string().max(200).nullish(),
  pem: z.string().startsWith('-----BEGIN').max(20_000),
  webhook_secret: z.string().min(1).max(500).nullish(),
  client_secret: z.string().min(1).max(500).nullish(),
})

/**
 * Thrown if the Git host does not return the App. The message states the reason, without the
 * response body.
 */
export class ExchangeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExchangeError'
  }
}

/**
 * Exchanges a manifest code for the App and its secrets. The Git host returns the secrets only
 * once. https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest
 * @throws ExchangeError
 */
export async function exchangeManifestCode(
  { apiUrl, webUrl }: { apiUrl: string; webUrl: string },
  code: string,
): Promise<NewGitHubApp> {
  const body = await ask(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`)
  const parsed = Conversion.safeParse(body)
  if (!parsed.success) throw new ExchangeError('The response from the Git host does not describe an App.')
  const app = parsed.data
  // An App is used only for repositories on its host.
  if (new URL(app.html_url).host !== new URL(webUrl).host) {
    throw new ExchangeError('The Git host returned an App on a different host.')
  }
  return {
    appId: app.id,
    slug: app.slug,
    name: app.name,
    htmlUrl: app.html_url,
    clientId: app.client_id ?? null,
    privateKey: app.pem,
    webhookSecret: app.webhook_secret ?? null,
    clientSecret: app.client_secret ?? null,
  }
}

async function ask(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'corrigenda',
        'x-github-api-version': '2022-11-28',
      },
    })
    if (response.status !== 201) {
      await response.body?.cancel()
      throw new ExchangeError(
        `The Git host responded with ${response.status}. The code may already have been used, or be more than an hour old.`,
      )
    }
    return JSON.parse(await readBounded(response))
  } catch (error) {
    if (error instanceof ExchangeError) throw error
    throw new ExchangeError('The Git host did not return a valid response. Check that this service can reach it.')
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new ExchangeError('The response from the Git host is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
