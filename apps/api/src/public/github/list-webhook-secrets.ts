import { findWebhookSecret, SealedCredentialError } from '@corrigenda/core/credentials'
import { hideInLog } from '@corrigenda/core/runtime'
import type { ApiDeps } from '../../http/deps.ts'

const CACHE_MS = 5_000

/**
 * Returns the accepted webhook secrets: the configured one and the App's. A change takes effect
 * within 5 s.
 */
export function buildListWebhookSecrets(
  deps: Pick<ApiDeps, 'prisma' | 'monitor' | 'log' | 'credentialKey' | 'githubWebhookSecret'>,
): () => Promise<readonly string[]> {
  let cached: { readonly at: number; readonly secret: Promise<string | null> } | null = null

  const find = async (): Promise<string | null> => {
    try {
      const secret = await deps.monitor.run(() => findWebhookSecret(deps))
      if (secret !== null) hideInLog(deps.log, secret)
      return secret
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error
      deps.log.warn("the GitHub App's webhook secret cannot be decrypted; create the App again")
      return null
    }
  }

  return async () => {
    const now = performance.now()
    if (cached === null || now - cached.at >= CACHE_MS) {
      const secret = find()
      const entry = { at: now, secret }
      cached = entry
      secret.catch(() => {
        if (cached === entry) cached = null
      })
    }
    const ofApp = await cached.secret
    return [deps.githubWebhookSecret, ofApp].filter((secret) => secret !== null)
  }
}
