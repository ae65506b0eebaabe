import { AppError } from '@corrigenda/core/base'
import type { ApiDeps } from '../http/deps.ts'

/** One hash takes a thread and 16 MiB for an eighth of a second. */
const AT_ONCE = 2
const WAITING_PER_ADDRESS = 50

/** Returns the salt and scrypt hash of a password, in the format that sign-in verifies. */
export async function hashPassword(password: string): Promise<string> {
  const crypto = await import('better-auth/crypto')
  return crypto.hashPassword(password)
}

/** Runs work that hashes a password. An IP address has one at a time, so that it cannot delay others. */
type LimitPasswordWork = <T>(address: string, work: () => Promise<T>) => Promise<T>

/** Limits the work of this process to two hashes at a time. */
export function limitPasswordWork(): LimitPasswordWork {
  const addresses = new Map<string, { waiting: number; last: Promise<unknown> }>()
  const waiting: (() => void)[] = []
  let running = 0

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < AT_ONCE) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
  return async (address, work) => {
    const own = addresses.get(address) ?? { waiting: 0, last: Promise.resolve() }
    addresses.set(address, own)
    if (own.waiting >= WAITING_PER_ADDRESS) {
      throw new AppError('service_unavailable', 'Too many passwords are being checked. Try again.', 2)
    }
    own.waiting += 1
    const result = own.last.then(() => run(work))
    // The next check waits for the end of this one, whose error goes to its own caller.
    own.last = result.catch(() => {})
    try {
      return await result
    } finally {
      own.waiting -= 1
      if (own.waiting === 0) addresses.delete(address)
    }
  }
}

/**
 * Rejects requests that use a password if passwords are turned off.
 * @throws AppError `password_sign_in_disabled`
 */
export function refusePasswords({ signIn }: ApiDeps): void {
  if (signIn.password) return
  const names = [...(signIn.github ? ['GitHub'] : []), ...(signIn.oidc ? [signIn.oidc.name] : [])]
  throw new AppError(
    'password_sign_in_disabled',
    `Passwords are turned off on this service. Sign in with ${names.join(' or ')}.`,
  )
}
