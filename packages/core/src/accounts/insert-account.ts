import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'

export interface NewAccount {
  readonly name: string
  /** Lowercase. */
  readonly email: string
  readonly passwordHash: string
}

/**
 * Adds a user who signs in with a password.
 * @param input.isVerified whether an admin or the operator has assigned the address to the user
 * @throws AppError `account_exists` when the email address is taken
 */
export async function insertAccount(
  tx: Db,
  { name, email, passwordHash }: NewAccount,
  { isAdmin, isVerified }: { isAdmin: boolean; isVerified: boolean },
): Promise<{ userId: string }> {
  const userId = newId('usr')
  const [inserted] = await tx.$queryRaw<unknown[]>`
    INSERT INTO users (id, name, email, is_operator, email_verified) VALUES (${userId}, ${name}, ${email}, ${isAdmin}, ${isVerified})
    ON CONFLICT (email) DO NOTHING RETURNING 1`
  if (inserted === undefined) {
    throw new AppError(
      'account_exists',
      'An account with this email address already exists. Sign in, then open the link again.',
    )
  }
  await tx.account.create({
    data: { id: newId('acc'), userId, accountId: userId, providerId: 'credential', password: passwordHash },
  })
  return { userId }
}
