import { OPERATOR_ADDRESS, type Stack } from './open-stack.ts'
import type { Answer } from './send.ts'

export interface Account {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly password: string
  /** All cookies of the account's browser. A sign-in replaces them. */
  cookie: string
}

type Who = Pick<Account, 'name' | 'email' | 'password'>

/** Creates the instance's first account, which is an admin. */
export async function openOperator({ send }: Pick<Stack, 'send'>): Promise<Account> {
  const who = { name: 'Operator', email: 'operator@example.com', password: 'operate-this-instance' }
  const body = { ...who }
  const path = '/dashboard/api/setup'
  const made = await send({ method: 'POST', path, body, cookie: '', from: OPERATOR_ADDRESS })
  return toAccount(who, made, expectStatus(made, 201).user.id)
}

/** Invites a person to a project. A person without an account creates one. */
export async function joinProject(
  { send }: Pick<Stack, 'send'>,
  input: { operator: Account; projectId: string; role: string; who: Who | Account; from: string },
): Promise<Account> {
  const { operator, projectId, role, who, from } = input
  const { cookie } = operator
  const path = `/dashboard/api/projects/${projectId}/invitations`
  const invited = await send({ method: 'POST', path, cookie, from: OPERATOR_ADDRESS, body: { role, email: who.email } })
  const token = String(expectStatus(invited, 201).url).split('/').at(-1)
  const isKnown = 'cookie' in who
  const { name, email, password } = who
  const accepted = await send({
    method: 'POST',
    path: `/dashboard/api/invitations/${token}/accept`,
    from,
    cookie: isKnown ? who.cookie : '',
    body: isKnown ? {} : { name, email, password },
  })
  expectStatus(accepted, 200)
  if (isKnown) return who
  const account = toAccount({ name, email, password }, accepted, '')
  const session = await send({ path: '/dashboard/api/session', cookie: account.cookie, from })
  return { ...account, userId: expectStatus(session, 200).user.id }
}

const toAccount = (who: Who, answer: Answer, userId: string): Account => ({
  userId,
  name: who.name,
  email: who.email,
  password: who.password,
  cookie: toCookie(answer),
})

/** Returns the cookies that a response sets, as a browser sends them. */
export const toCookie = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')

/** Returns the body of a response, which must have this status. */
export function expectStatus(answer: Answer, status: number): ReturnType<typeof JSON.parse> {
  if (answer.status !== status) throw new Error(`The status is ${answer.status}, not ${status}: ${answer.text}`)
  return answer.json
}
