import type { KeyScope } from '@corrigenda/contracts'

export const SCOPES = ['jobs:read', 'jobs:write', 'project:deploy'] as const satisfies readonly KeyScope[]

/** Descriptions of the scopes of keys. */
export const SCOPE_FACTS: Readonly<Record<KeyScope, string>> = {
  'jobs:read': 'read jobs and their changes',
  'jobs:write': 'create, continue, cancel and archive jobs',
  'project:deploy': 'deploy the documentation',
}
