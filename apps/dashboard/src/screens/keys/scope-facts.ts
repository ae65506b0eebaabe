import type { KeyScope } from '@corrigenda/contracts'

/** Descriptions of the API key scopes. */
export const SCOPE_FACTS: Readonly<Record<KeyScope, string>> = {
  'jobs:read': 'Read jobs, changes and webhooks',
  'jobs:write': 'Create, continue, retry, cancel and archive jobs',
  'project:deploy': 'Deploy the documentation',
  'webhooks:write': 'Create, change and delete webhooks',
}
