import { listServiceSecrets } from '@corrigenda/core/runtime'
import { listProxySecrets } from '@corrigenda/egress'
import type { ApiConfig } from './config.ts'

/** Lists this process's secrets, which must not appear in a log. */
export function listSecrets(config: ApiConfig): string[] {
  const { githubWebhookSecret, signIn } = config
  return [
    ...listServiceSecrets(config),
    githubWebhookSecret,
    signIn.github?.clientSecret,
    signIn.oidc?.clientSecret,
    ...listProxySecrets(config.proxies),
    ...Object.values(config.traces?.headers ?? {}),
  ].filter((one) => one != null)
}
