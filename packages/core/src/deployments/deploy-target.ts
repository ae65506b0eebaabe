import { DeployTarget } from '@corrigenda/contracts'
import { toHookUrl } from '../projects/to-hook-url.ts'

/**
 * Checks a target before it is stored.
 * @param allowedHookHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 * @throws Error that says what to change
 */
export function toDeployTarget(value: unknown, allowedHookHosts: readonly string[]): DeployTarget {
  const target = DeployTarget.safeParse(value)
  if (!target.success) {
    const [first] = target.error.issues
    const where = first?.path.join('.')
    throw new Error(`The deploy target is not valid: ${where ? `${where} ` : ''}${first?.message ?? ''}.`)
  }
  if (target.data.kind !== 'hook') return target.data
  return { kind: 'hook', url: toHookUrl(target.data.url, allowedHookHosts) }
}

/** The stored target; null when there is none, or one that this version does not know. */
export function findDeployTarget(stored: unknown): DeployTarget | null {
  const target = DeployTarget.safeParse(stored)
  return target.success ? target.data : null
}

/** What people may see of a target. A hook's path may be a secret, so only its host is shown. */
export function describeDeployTarget(target: DeployTarget): string {
  switch (target.kind) {
    case 'hook':
      return `deploy hook at ${new URL(target.url).host}`
    case 'workflow_dispatch':
      return `workflow ${target.workflow}${target.ref ? ` on ${target.ref}` : ''}`
    case 'repository_dispatch':
      return `repository event ${target.eventType}`
  }
}
