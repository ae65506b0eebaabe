import { randomBytes } from 'node:crypto'
import type { Permissions } from './host/app-tokens.ts'
import { getRepository, type HostState } from './host/host-state.ts'

/**
 * The permissions of fine-grained personal access tokens that this host supports. Only Apps can
 * have `checks`.
 */
const POSSIBLE = new Set(['actions', 'contents', 'issues', 'metadata', 'pull_requests', 'statuses'])

/**
 * Adds a fine-grained personal access token.
 * @throws Error for a permission that such tokens cannot have
 */
export function addFineToken(state: HostState, permissions: Permissions, repositories?: readonly string[]): string {
  const impossible = Object.keys(permissions).find((name) => !POSSIBLE.has(name))
  if (impossible) throw new Error(`A fine-grained token cannot have the permission ${impossible}`)
  const value = `github_pat_${randomBytes(41).toString('hex')}`
  const repositoryIds = repositories?.map((full) => getRepository(state, full).record.id) ?? null
  state.fineTokens.set(value, { repositoryIds, permissions: { ...permissions, metadata: 'read' } })
  return value
}
