import type { KeyScope } from '@corrigenda/contracts'
import type { AuditContext } from '@corrigenda/core/audit'
import { AppError } from '@corrigenda/core/base'
import type { Principal } from '@corrigenda/core/keys'

/** Runs one database operation in a turn of the caller. */
export type RunInTurn = <T>(work: () => Promise<T>, kind?: 'search') => Promise<T>

/** The caller of a request and the operations that its tools may use. */
export interface McpCaller {
  readonly principal: Principal
  readonly audit: AuditContext
  readonly version: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** Runs one database operation. */
  readonly run: RunInTurn
  /** Called before a call waits for a job. */
  readonly onWait: () => void
}

/** @throws AppError `scope_missing` */
export function assertScope({ scopes }: Principal, scope: KeyScope): void {
  if (scopes.includes(scope)) return
  throw new AppError('scope_missing', `This API key lacks the scope ${scope}. Create a key with this scope.`)
}
