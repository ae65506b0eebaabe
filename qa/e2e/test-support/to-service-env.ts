import path from 'node:path'
import type { GitHost, MessagesApi } from '@corrigenda/testkit'

/** Settings of the processes of a service that uses these servers and keeps its files in `dir`. */
export function toServiceEnv(input: { dir: string; host: GitHost; model: MessagesApi }): Record<string, string> {
  const { dir, host, model } = input
  return {
    HOST: '127.0.0.1',
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_TOKEN: host.token,
    GITHUB_API_URL: host.apiUrl,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    CACHE_DIR: path.join(dir, 'cache'),
  }
}
