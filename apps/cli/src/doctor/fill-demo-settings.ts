import type { Env } from '@corrigenda/core/runtime'
import { hasGitCredential, hasModelKey, type ResolvedEnvironment } from '../environment/resolve-environment.ts'
import { findDemoHost } from '../environment/state-file.ts'
import type { Finding } from './finding.ts'

/** The settings as `serve` fills them in the embedded mode. */
export interface DemoSettings {
  readonly env: Env
  readonly warnings: readonly Finding[]
  /** The model is the rehearsal model, which exists only inside `serve`. */
  readonly rehearsal: boolean
  /** `host:port` of the local Git host that replaces a real one; null: a real one is configured. */
  readonly localHost: string | null
}

/**
 * In the embedded mode, replaces a missing model or Git host with that of the demo, which is a
 * warning and not a problem. Changes nothing in other modes.
 */
export async function fillDemoSettings({ env, embedded, stateDir }: ResolvedEnvironment): Promise<DemoSettings> {
  if (!embedded) return { env, warnings: [], rehearsal: false, localHost: null }
  const rehearsal = !hasModelKey(env)
  const host = hasGitCredential(env) ? null : await findDemoHost(stateDir)
  const warnings: Finding[] = []
  if (rehearsal) {
    const text = 'serve uses the rehearsal model of the demo; set ANTHROPIC_API_KEY for a real model'
    warnings.push({ subject: 'Model', state: 'warning', text })
  }
  if (!hasGitCredential(env)) {
    const text = 'serve uses the local Git host of the demo; set GITHUB_TOKEN or a GitHub App for a real host'
    warnings.push({ subject: 'Git host', state: 'warning', text })
  }
  return {
    env: {
      ...env,
      // Never sent. It only completes the settings.
      ...(rehearsal ? { ANTHROPIC_API_KEY: 'rehearsal' } : {}),
      ...(hasGitCredential(env) ? {} : { GITHUB_TOKEN: host?.token ?? 'local' }),
    },
    warnings,
    rehearsal,
    localHost: hasGitCredential(env) ? null : (host?.authority ?? ''),
  }
}
