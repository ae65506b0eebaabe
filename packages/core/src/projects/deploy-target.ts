import { DeployTarget } from '@corrigenda/contracts'
import { z } from 'zod'
import type { HookRules } from '../hook-addresses/find-hook-grant.ts'
import { toHookUrl } from '../hook-addresses/to-hook-url.ts'
import { sealSecret, unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'

const KINDS = ['hook', 'workflow_dispatch', 'repository_dispatch'] as const satisfies DeployTarget['kind'][]

/**
 * Validates a target before it is stored.
 * @throws Error whose message explains how to fix the target
 */
export function toDeployTarget(value: unknown, rules: HookRules): DeployTarget {
  const target = DeployTarget.safeParse(value)
  if (!target.success) {
    const [first] = target.error.issues
    const where = first?.path.join('.')
    throw new Error(`The deploy target is not valid: ${where ? `${where} ` : ''}${first?.message ?? ''}.`)
  }
  if (target.data.kind !== 'hook') return target.data
  return { kind: 'hook', url: toHookUrl(target.data.url, rules) }
}

/**
 * Stored form. Hook URLs, inputs and payloads may contain secrets, so all fields except the kind
 * are sealed.
 */
const StoredTarget = z.object({ kind: z.enum(KINDS), sealed: z.base64() })

/**
 * Seals a target for storage and binds it to the project.
 * @param key from `deriveSecrets`
 */
export function sealDeployTarget(key: Buffer, projectId: string, target: DeployTarget): z.infer<typeof StoredTarget> {
  return { kind: target.kind, sealed: sealSecret(key, projectId, JSON.stringify(target)).toString('base64') }
}

/**
 * Returns the stored target, or null when the project has no target, this version does not support
 * it or the key cannot decrypt it.
 */
export function findDeployTarget(key: SealingKey, projectId: string, stored: unknown): DeployTarget | null {
  const sealed = StoredTarget.safeParse(stored)
  if (!sealed.success) return null
  try {
    const text = unsealSecret(key, projectId, Buffer.from(sealed.data.sealed, 'base64'))
    return DeployTarget.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Returns true when a deploy target is stored. Does not require the key. */
export function hasDeployTarget(stored: unknown): boolean {
  return StoredTarget.safeParse(stored).success
}

/**
 * Returns a description of a target for users. Contains only a hook's host, because its path may be
 * a secret.
 */
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
