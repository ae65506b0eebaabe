import type { KeyScope } from '@corrigenda/contracts'
import type { AuditContext } from '@corrigenda/core/audit'
import { AppError } from '@corrigenda/core/base'
import type { Principal } from '@corrigenda/core/keys'

/** The caller of a request and the operations that its tools may use. */
export interface McpCaller {
  readonly principal: Principal
  readonly audit: AuditContext
  readonly version: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** Called before a call waits for a job. */
  readonly onWait: () => void
}

/** @throws AppError `scope_missing` */
export function assertScope({ scopes }: Principal, scope: KeyScope): void {
  if (scopes.includes(scope)) return
  throw new AppError('scope_missing', `This API key lacks the scope ${scope}. Create a key with this scope.`)
}
