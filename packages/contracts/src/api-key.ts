import { z } from 'zod'
import { isAtLeast, type Role } from './dashboard-session.ts'

export const KeyScope = z.enum(['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'])
export type KeyScope = z.infer<typeof KeyScope>

/** What an API key may do, by scope. */
export const SCOPES: Readonly<
  Record<
    KeyScope,
    {
      readonly text: string
      /** Users with this role have the permission, too, and can create keys with it. */
      readonly role: Role
      /** Whether the dashboard selects it for a new key. */
      readonly isDefault: boolean
    }
  >
> = {
  'jobs:read': { text: 'Read jobs, changes and webhooks', role: 'viewer', isDefault: true },
  'jobs:write': { text: 'Create, continue, retry, cancel and archive jobs', role: 'member', isDefault: true },
  'project:deploy': { text: 'Deploy the documentation', role: 'member', isDefault: false },
  // Webhooks send prompts and results to other hosts.
  'webhooks:write': { text: 'Create, change and delete webhooks', role: 'owner', isDefault: false },
}

export const DEFAULT_SCOPES: readonly KeyScope[] = KeyScope.options.filter((scope) => SCOPES[scope].isDefault)

/** Returns the scopes that are equivalent to a role. */
export const toScopes = (role: Role): readonly KeyScope[] =>
  KeyScope.options.filter((scope) => isAtLeast(role, SCOPES[scope].role))

/** Format of a key: `cgd_<12 base62 id>_<32 base62 secret><6 base62 CRC-32>`. */
export const KEY_PATTERN = /^cgd_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
