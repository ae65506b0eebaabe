import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Connection } from '@corrigenda/core/connection-checks'
import type { Log } from '@corrigenda/core/runtime'
import type { Permissions } from '../git-host/credentials.ts'
import type { GitAccess } from '../git-host/git-access.ts'
import type { GitHost, RepositoryFacts } from '../git-host/git-host.ts'

export interface CheckDeps extends GitAccess {
  readonly log: Log
}

/** Result of one step. `missing` lists permissions by their GitHub names. */
export interface Found {
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly message: string
  readonly missing?: readonly string[]
  /** Jobs work although the step failed. */
  readonly isOptional?: boolean
}

/** State that each step passes to later steps. */
export interface ConnectionCheckContext {
  readonly deps: CheckDeps
  readonly connection: Omit<Connection, 'sources'>
  readonly signal: AbortSignal
  repository?: RepositoryAddress
  /** The App's permissions; null for a personal token, whose permissions are unknown. */
  permissions?: Permissions | null
  gitHost?: GitHost
  /** Repository data from the host. */
  facts?: RepositoryFacts
  branch?: string
  /** Newest commit of the base branch. */
  commit?: string
}

export const passed = (message: string): Found => ({ status: 'passed', message })
export const skipped = (message: string): Found => ({ status: 'skipped', message })
export const failed = (message: string, ...missing: string[]): Found => ({ status: 'failed', message, missing })

/**
 * Returns whether an App has a permission at this level or higher; null if unknown (a personal
 * token).
 */
export function isGranted(
  { permissions }: ConnectionCheckContext,
  name: string,
  level: 'read' | 'write',
): boolean | null {
  if (!permissions) return null
  return permissions[name] === 'write' || permissions[name] === 'admin' || permissions[name] === level
}

/** Returns a value set by an earlier step. */
export function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a connection check step ran before the step it depends on')
  return value
}

/** Permission names as shown on GitHub's token and App pages. */
export const WORDS = {
  access: 'Repository access',
  contents: 'Contents: read and write',
  contentsRead: 'Contents: read-only',
  pullRequests: 'Pull requests: read and write',
  pullRequestsRead: 'Pull requests: read-only',
  checks: 'Checks: read-only',
  statuses: 'Commit statuses: read-only',
  actions: 'Actions: read and write',
} as const
