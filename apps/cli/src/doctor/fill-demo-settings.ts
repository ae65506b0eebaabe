import type { Env } from '@corrigenda/core/runtime'
import { hasGitCredential, hasModelKey, type ResolvedEnvironment } from '../environment/resolve-environment.ts'
import { findDemoHost } from '../environment/state-file.ts'
import type { Finding } from './finding.ts'

/** The settings that `serve` uses in embedded mode. */
export interface DemoSettings {
  readonly env: Env
  readonly warnings: readonly Finding[]
  /** True if the model is the rehearsal model, which exists only inside `serve`. */
  readonly rehearsal: boolean
  /**
   * `host:port` of the local Git host, or null if that host is not used. Empty if the host has
   * never started.
   */
  readonly localHost: string | null
}

/**
 * In embedded mode, replaces a missing model or Git host with the demo's and reports it as a
 * warning instead of a problem. Changes nothing in other modes.
 */
export async function fillDemoSettings({ env, embedded, stateDir }: ResolvedEnvironment): Promise<DemoSettings> {
  if (!embedded) return { env, warnings: [], rehearsal: false, localHost: null }
  const rehearsal = !hasModelKey(env)
  const host = hasGitCredential(env) ? null : await findDemoHost(stateDir)
  const warnings: Finding[] = []
  if (rehearsal) {
    const text = "serve uses the demo's rehearsal model; set ANTHROPIC_API_KEY for a real model"
    warnings.push({ subject: 'Model', state: 'warning', text })
  }
  if (!hasGitCredential(env)) {
    const text = "serve uses the demo's local Git host; set GITHUB_TOKEN or a GitHub App for a real host"
    warnings.push({ subject: 'Git host', state: 'warning', text })
  }
  return {
    env: {
      ...env,
      // Placeholders that make the settings valid. They are never sent to a real server.
      ...(rehearsal ? { ANTHROPIC_API_KEY: 'rehearsal' } : {}),
      ...(hasGitCredential(env) ? {} : { GITHUB_TOKEN: host?.token ?? 'local' }),
      ...(host ? { GITHUB_TOKEN_HOST: host.authority } : {}),
    },
    warnings,
    rehearsal,
    localHost: hasGitCredential(env) ? null : (host?.authority ?? ''),
  }
}
