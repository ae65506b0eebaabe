import { DeployTarget } from '@corrigenda/contracts'
import { z } from 'zod'
import { toHookUrl } from '../hook-addresses/to-hook-url.ts'
import { sealSecret, unsealSecret } from '../sealing/seal-secret.ts'

const KINDS = ['hook', 'workflow_dispatch', 'repository_dispatch'] as const satisfies DeployTarget['kind'][]

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

/** As the database keeps it. Addresses of hooks, inputs and payloads may hold secrets, so all but the kind is sealed. */
const StoredTarget = z.object({ kind: z.enum(KINDS), sealed: z.base64() })

/** The target as it is stored, bound to the project. @param key of `deriveSecrets` */
export function sealDeployTarget(key: Buffer, projectId: string, target: DeployTarget): z.infer<typeof StoredTarget> {
  return { kind: target.kind, sealed: sealSecret(key, projectId, JSON.stringify(target)).toString('base64') }
}

/**
 * The stored target; null when there is none, or one that this version does not know or this key does not open. One from before targets were sealed is
 * read as it is.
 */
export function findDeployTarget(key: Buffer, projectId: string, stored: unknown): DeployTarget | null {
  const sealed = StoredTarget.safeParse(stored)
  if (!sealed.success) return DeployTarget.safeParse(stored).data ?? null
  try {
    const text = unsealSecret(key, projectId, Buffer.from(sealed.data.sealed, 'base64'))
    return DeployTarget.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Whether there is something to deploy with, for those who need not know what. */
export function hasDeployTarget(stored: unknown): boolean {
  return StoredTarget.safeParse(stored).success || DeployTarget.safeParse(stored).success
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
