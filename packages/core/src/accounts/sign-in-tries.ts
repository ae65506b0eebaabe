import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { AppError } from '../base/errors.ts'
import type { AccountDeps } from './tokens.ts'

/**
 * Maximum number of failed sign-ins in a window per account and address, or per account and known
 * browser.
 */
const SIGN_IN_TRIES = 5
/**
 * Maximum number of failed sign-ins in a window per account, across all addresses and unknown
 * browsers. Limits distributed guessing.
 */
const SIGN_IN_TRIES_ANYWHERE = 100
const WINDOW_SECONDS = 900

interface SignInSubject {
  /** Lowercase. */
  readonly email: string
  readonly address: string
  /**
   * Id of a browser that has signed in to the account before. Other clients cannot use up its
   * attempts. Null for an unknown browser.
   */
  readonly device: string | null
}

/**
 * Counts a sign-in attempt before the password is checked, so that concurrent attempts cannot
 * bypass the limit. Behaves identically for unknown accounts. The count is stored in Postgres, so
 * that all replicas share it.
 * @throws AppError `too_many_sign_ins` with the seconds until the window ends
 */
export async function takeSignInTry(deps: AccountDeps, input: SignInSubject): Promise<void> {
  await take(deps, { email: input.email, from: toOrigin(input), limit: SIGN_IN_TRIES })
  if (input.device !== null) return
  await take(deps, { email: input.email, from: 'anywhere', limit: SIGN_IN_TRIES_ANYWHERE })
}

async function take(
  { prisma, authKey }: AccountDeps,
  { email, from, limit }: { email: string; from: string; limit: number },
): Promise<void> {
  const [row] = await prisma.$queryRaw<[{ tries: number; wait: number }]>`
    INSERT INTO sign_in_tries AS t (account, origin, tries, since)
    VALUES (${toHash(authKey, email)}, ${toHash(authKey, from)}, 1, now())
    ON CONFLICT (account, origin) DO UPDATE SET
      tries = CASE WHEN t.since < now() - make_interval(secs => ${WINDOW_SECONDS}) THEN 1 ELSE least(t.tries + 1, 1000) END,
      since = CASE WHEN t.since < now() - make_interval(secs => ${WINDOW_SECONDS}) THEN now() ELSE t.since END
    RETURNING tries, ceil(extract(epoch FROM since + make_interval(secs => ${WINDOW_SECONDS}) - now()))::int AS wait`
  if (row.tries <= limit) return
  const minutes = Math.ceil(row.wait / 60)
  throw new AppError(
    'too_many_sign_ins',
    `Too many failed sign-ins. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}, or have the password reset with "corrigenda user reset-password".`,
    Math.max(1, row.wait),
  )
}

/**
 * Resets the count for an address or browser after a successful sign-in. Also deletes expired
 * windows.
 */
export async function forgetSignInTries({ prisma, authKey }: AccountDeps, input: SignInSubject): Promise<void> {
  const own = { account: toHash(authKey, input.email), origin: toHash(authKey, toOrigin(input)) }
  await prisma.signInTry.deleteMany({ where: { OR: [own, isExpired()] } })
}

/** Resets all counts for an account after a password change. */
export async function forgetAllSignInTries({ prisma, authKey }: AccountDeps, email: string): Promise<void> {
  await prisma.signInTry.deleteMany({ where: { OR: [{ account: toHash(authKey, email) }, isExpired()] } })
}

const isExpired = () => ({ since: { lt: new Date(Date.now() - WINDOW_SECONDS * 1000) } })

const toOrigin = ({ address, device }: SignInSubject): string =>
  device === null ? `address:${toNetwork(address)}` : `device:${device}`

/**
 * Returns the network that counts as one origin: an IPv4 address, or the /64 prefix of an IPv6
 * address, because one subscriber controls all 2^64 addresses in it.
 */
function toNetwork(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  return address instanceof ipaddr.IPv6 ? `${address.parts.slice(0, 4).join(':')}/64` : address.toString()
}

const toHash = (key: Buffer, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', key).update(`sign-in:${text}`).digest().subarray(0, 16))
