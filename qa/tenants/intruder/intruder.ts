import type { Random } from '../../chaos/plan/random.ts'
import type { AcmeProject } from '../acme/acme.ts'
import { type Account, toCookie } from '../stack/open-account.ts'
import type { Stack, StackProject } from '../stack/open-stack.ts'
import type { Answer, Ask } from '../stack/send.ts'
import type { Leaks } from './find-leaks.ts'
import type { ForeignIds } from './foreign-ids.ts'
import type { IdKind } from './id-kind.ts'

export type KeyName = 'all' | 'read' | 'write' | 'deploy' | 'hooks' | 'revoked'
export type RoleName = 'owner' | 'member' | 'viewer'
/** Credential of a request: a key, a session, none, or an invented key. */
export type Sender = KeyName | RoleName | 'anonymous' | 'invented'

/** The second tenant, which tries everything that its own access allows. */
export interface Intruder {
  readonly stack: Stack
  readonly random: Random
  readonly operator: Account
  readonly project: StackProject
  readonly accounts: Readonly<Record<RoleName, Account>>
  readonly keys: Record<KeyName, string>
  /** Ids of its own objects, by kind. They may be deleted already. */
  readonly own: Readonly<Record<IdKind, string[]>>
  /** Projects that it owns besides its main one, and deletes. */
  readonly spare: StackProject[]
  readonly acme: { readonly live: AcmeProject; readonly rest: AcmeProject }
  readonly foreign: ForeignIds
  readonly leaks: Leaks
  /** Closes the open streams. */
  readonly open: Set<() => void>
  /** Number of responses by status and error code. */
  readonly statuses: Map<string, number>
  readonly found: string[]
  /** Description of the current action, for errors. */
  action: string
}

export interface IntruderAsk extends Omit<Ask, 'from' | 'key' | 'cookie'> {
  readonly as: Sender
  /** True if the request names an object of the other tenant, so it must not succeed. */
  readonly foreign?: boolean
}

/** Loopback addresses that the intruder sends from. */
export const INTRUDER_ADDRESSES = Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 10}`)
/** Number of ids that are kept per kind. */
const MAX_IDS = 40

/**
 * Sends a request and checks its response: no data of the other tenant, no success with an id of the
 * other tenant, and no internal error. Returns null if the connection broke.
 */
export async function ask(intruder: Intruder, input: IntruderAsk): Promise<Answer | null> {
  const { as, foreign = false, ...rest } = input
  const { stack, random, leaks, statuses, found } = intruder
  const from = random.pick(INTRUDER_ADDRESSES)
  const answer = await stack.send({ ...rest, ...toCredential(intruder, as), from }).catch(() => null)
  const status = answer === null ? 'disconnected' : `${answer.status} ${answer.headers['x-error-code'] ?? ''}`.trim()
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (answer === null) return null
  const say = (what: string) => {
    const sent = rest.body === undefined ? '' : ` ${JSON.stringify(rest.body).slice(0, 300)}`
    const got = `${answer.status} ${answer.text.slice(0, 500)}`
    found.push(
      `${intruder.action}: ${rest.method ?? 'GET'} ${rest.path.slice(0, 300)}${sent} as ${as}: ${what}: ${got}`,
    )
  }
  for (const leak of leaks.find(rest, answer)) say(`the response contains ${leak} of the other tenant`)
  const isOk = answer.status >= 200 && answer.status < 300
  if (foreign && isOk) say('a request with an id of the other tenant succeeded')
  if (answer.status === 500) say('internal error')
  const hasSignedOut = answer.headers['x-error-code'] === 'sign_in_required'
  if (hasSignedOut && isSession(as)) await signIn(intruder, as)
  return answer
}

/** Sends a request and notes the id of the created object. */
export async function create(
  intruder: Intruder,
  input: IntruderAsk,
  kind: IdKind,
  toId: (body: ReturnType<typeof JSON.parse>) => unknown = (body) => body.id,
): Promise<Answer | null> {
  const answer = await ask(intruder, input)
  if (answer === null || answer.status >= 300 || answer.status < 200) return answer
  const id = toId(answer.json)
  if (typeof id === 'string') note(intruder, kind, id)
  return answer
}

export function note({ own }: Intruder, kind: IdKind, id: string): void {
  own[kind].push(id)
  if (own[kind].length > MAX_IDS) own[kind].shift()
}

const isSession = (sender: Sender): sender is RoleName => ['owner', 'member', 'viewer'].includes(sender)

function toCredential({ keys, accounts, random }: Intruder, sender: Sender): Pick<Ask, 'key' | 'cookie'> {
  if (sender === 'anonymous') return {}
  if (sender === 'invented') return { key: `cgd_${random.int(1e11, 9e11)}_${'x'.repeat(38)}` }
  return isSession(sender) ? { cookie: accounts[sender].cookie } : { key: keys[sender] }
}

/** Signs in again after the session has ended. */
export async function signIn({ stack, accounts, random }: Intruder, role: RoleName): Promise<void> {
  const { email, password, cookie } = accounts[role]
  const device = cookie
    .split('; ')
    .filter((one) => one.includes('_device='))
    .join('; ')
  const path = '/dashboard/api/sign-in'
  const from = random.pick(INTRUDER_ADDRESSES)
  const answer = await stack.send({ method: 'POST', path, cookie: device, from, body: { email, password } })
  if (answer.status === 200) accounts[role].cookie = toCookie(answer)
}

const SENDERS: readonly Sender[] = [
  ...(['owner', 'owner', 'all', 'all', 'all', 'member', 'viewer', 'read', 'write', 'deploy', 'hooks'] as const),
  ...(['revoked', 'anonymous', 'invented'] as const),
]
export const pickSender = ({ random }: Intruder): Sender => random.pick(SENDERS)

/** Returns the id of one of its own objects. Returns an invented id if it has no object of the kind. */
export const pickOwn = ({ own, random }: Intruder, kind: IdKind): string =>
  own[kind].length > 0 ? random.pick(own[kind]) : `${kind.slice(0, 3)}_${'0'.repeat(26)}`
