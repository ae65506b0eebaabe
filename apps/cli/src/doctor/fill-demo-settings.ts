import type { Env } from '@corrigenda/core/runtime'
import { hasGitCredential, hasModelKey, type ResolvedEnvironment } from '../environment/resolve-environment.ts'
import { findDemoHost } from '../environment/state-file.ts'
import type { Finding } from './finding.ts'

/** The settings as `serve` fills them in the embedded mode. */
export interface DemoSettings {
  readonly env: Env
  readonly warnings: readonly Finding[]
  /** The model is the rehearsal one, which lives inside `serve` only. */
  readonly rehearsal: boolean
  /** `host:port` of the local Git host that stands in for a real one; null: none does. */
  readonly localHost: string | null
}

/** In the embedded mode an absent model or Git host is the demo's, which is worth a warning and no failure. Elsewhere nothing is filled. */
export async function fillDemoSettings({ env, embedded, stateDir }: ResolvedEnvironment): Promise<DemoSettings> {
  if (!embedded) return { env, warnings: [], rehearsal: false, localHost: null }
  const rehearsal = !hasModelKey(env)
  const host = hasGitCredential(env) ? null : await findDemoHost(stateDir)
  const warnings: Finding[] = []
  if (rehearsal) {
    const text = "the demo's rehearsal model is used by serve; set ANTHROPIC_API_KEY for a real one"
    warnings.push({ subject: 'Model', state: 'warning', text })
  }
  if (!hasGitCredential(env)) {
    const text = "the demo's local host is used by serve; set GITHUB_TOKEN or a GitHub App for a real one"
    warnings.push({ subject: 'Git host', state: 'warning', text })
  }
  return {
    env: {
      ...env,
      // Never sent anywhere: only the settings must be complete.
      ...(rehearsal ? { ANTHROPIC_API_KEY: 'rehearsal' } : {}),
      ...(hasGitCredential(env) ? {} : { GITHUB_TOKEN: host?.token ?? 'local' }),
    },
    warnings,
    rehearsal,
    localHost: hasGitCredential(env) ? null : (host?.authority ?? ''),
  }
}
