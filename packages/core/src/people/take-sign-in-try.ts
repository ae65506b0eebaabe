import { createHmac } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { PeopleDeps } from './get-setup-token.ts'

/** Failures per account and address before there is a pause. */
export const SIGN_IN_TRIES = 5
const WINDOW_SECONDS = 900

export interface SignInSubject {
  readonly email: string
  readonly address: string
}

/**
 * Counts a try to sign in before the password is looked at, so that tries at the same time cannot outrun the count. Whether the account exists
 * makes no difference. Kept in Postgres: all replicas count together.
 * @throws AppError `too_many_sign_ins` with the seconds until the window ends
 */
export async function takeSignInTry(deps: PeopleDeps, input: SignInSubject): Promise<void> {
  const subject = toSubject(deps.peopleKey, input)
  const [row] = await deps.prisma.$queryRaw<[{ tries: number; wait: number }]>`
    INSERT INTO sign_in_tries AS t (subject, tries, since) VALUES (${subject}, 1, now())
    ON CONFLICT (subject) DO UPDATE SET
      tries = CASE WHEN t.since < now() - make_interval(secs => ${WINDOW_SECONDS}) THEN 1 ELSE least(t.tries + 1, 1000) END,
      since = CASE WHEN t.since < now() - make_interval(secs => ${WINDOW_SECONDS}) THEN now() ELSE t.since END
    RETURNING tries, ceil(extract(epoch FROM since + make_interval(secs => ${WINDOW_SECONDS}) - now()))::int AS wait`
  if (row.tries > SIGN_IN_TRIES) {
    const minutes = Math.ceil(row.wait / 60)
    throw new AppError(
      'too_many_sign_ins',
      `Too many failed sign-ins. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}, or have the password reset with "corrigenda user reset-password".`,
      Math.max(1, row.wait),
    )
  }
}

/**
 * The password was right, or is a new one: the count starts again. Takes windows away that are over, too.
 * @param input.address null: from wherever tries came
 */
export async function forgetSignInTries(
  deps: PeopleDeps,
  input: { email: string; address: string | null },
): Promise<void> {
  const { email, address } = input
  const account = toPart(deps.peopleKey, `account:${email}`)
  const from = address === null ? account : toSubject(deps.peopleKey, { email, address })
  await deps.prisma.$executeRaw`
    DELETE FROM sign_in_tries
    WHERE substring(subject FOR ${from.length}) = ${from} OR since < now() - make_interval(secs => ${WINDOW_SECONDS})`
}

/** First the account, then account and address: all tries at one account can be found. */
const toSubject = (key: Buffer, { email, address }: SignInSubject): Uint8Array<ArrayBuffer> =>
  new Uint8Array([...toPart(key, `account:${email}`), ...toPart(key, `address:${address}:${email}`)])

const toPart = (key: Buffer, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', key).update(`sign-in:${text}`).digest().subarray(0, 16))
