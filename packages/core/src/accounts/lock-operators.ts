import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'

/** Any number of our own: changes of who is an operator follow each other. */
const OPERATORS_LOCK = 7_021_469

/**
 * Holds back other changes of operators until the transaction ends.
 * @param actorId who changes something as an operator; null: somebody about themselves
 * @throws AppError `not_found` when they have just ceased to be one
 */
export async function lockOperators(tx: Db, actorId: string | null): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${OPERATORS_LOCK})`
  if (actorId === null) return
  const actor = await tx.user.findUnique({ where: { id: actorId }, select: { isOperator: true } })
  if (!actor?.isOperator) throw new AppError('not_found', 'Not found.')
}

/**
 * The demo's own account does not count: it ends with the demo.
 * @throws AppError `last_operator`
 */
export async function refuseLastOperator(tx: Db): Promise<void> {
  if ((await tx.user.count({ where: { isOperator: true, isDemo: false } })) > 1) return
  throw new AppError('last_operator', 'This is the only operator of the service. Make somebody else an operator first.')
}
