import { createHmac } from 'node:crypto'
import { AppError } from '../base/errors.ts'
import type { AccountDeps } from './tokens.ts'

/**
 * Maximum number of failed sign-ins in a window per account and address, or per account and known
 * browser.
 */
export const SIGN_IN_TRIES = 5
/**
 * Maximum number of failed sign-ins in a window per account, across all addresses and unknown
 * browsers. Limits distributed guessing.
 */
export const SIGN_IN_TRIES_ANYWHERE = 100
const WINDOW_SECONDS = 900

export interface SignInSubject {
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
  await take(deps, toSubject(deps.authKey, input), SIGN_IN_TRIES)
  if (input.device === null) await take(deps, toAnywhere(deps.authKey, input.email), SIGN_IN_TRIES_ANYWHERE)
}

async function take({ prisma }: AccountDeps, subject: Uint8Array<ArrayBuffer>, limit: number): Promise<void> {
  const [row] = await prisma.$queryRaw<[{ tries: number; wait: number }]>`
    INSERT INTO sign_in_tries AS t (subject, tries, since) VALUES (${subject}, 1, now())
    ON CONFLICT (subject) DO UPDATE SET
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
export async function forgetSignInTries(deps: AccountDeps, input: SignInSubject): Promise<void> {
  await forget(deps, toSubject(deps.authKey, input))
}

/** Resets all counts for an account after a password change. */
export async function forgetAllSignInTries(deps: AccountDeps, email: string): Promise<void> {
  await forget(deps, toPart(deps.authKey, `account:${email}`))
}

/** Deletes the counts whose subject starts with `from`, and expired counts. Both use an index. */
async function forget({ prisma }: AccountDeps, from: Uint8Array<ArrayBuffer>): Promise<void> {
  const end = new Uint8Array([...from, ...new Uint8Array(64).fill(255)])
  await prisma.$executeRaw`
    DELETE FROM sign_in_tries
    WHERE subject BETWEEN ${from} AND ${end} OR since < now() - make_interval(secs => ${WINDOW_SECONDS})`
}

/**
 * Returns the hash of the account followed by the hash of the address or browser, so that all
 * attempts for one account share a prefix.
 */
const toSubject = (key: Buffer, { email, address, device }: SignInSubject): Uint8Array<ArrayBuffer> => {
  const from = device === null ? `address:${toNetwork(address)}` : `device:${device}`
  return new Uint8Array([...toPart(key, `account:${email}`), ...toPart(key, `${from}:${email}`)])
}

const toAnywhere = (key: Buffer, email: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array([...toPart(key, `account:${email}`), ...toPart(key, `anywhere:${email}`)])

/**
 * Returns the network that counts as one origin: an IPv4 address, or the /64 prefix of an IPv6
 * address, because one subscriber controls all 2^64 addresses in it.
 */
export function toNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0')
  const all = tail === undefined ? groups : [...groups, ...gap, ...last]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const toPart = (key: Buffer, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', key).update(`sign-in:${text}`).digest().subarray(0, 16))
