import type { Random } from '../../chaos/plan/random.ts'
import { type AcmeProject, askAsOwner, askWithKey, toAgentPath, toDashboardPath, toHooksPath } from '../acme/acme.ts'
import { expectStatus } from '../stack/open-account.ts'
import type { Answer } from '../stack/send.ts'
import type { IdKind } from './id-kind.ts'

/** Ids of the other tenant, which the intruder uses as if it had learned them. */
export interface ForeignIds {
  pick(kind: IdKind, random: Random): string
  /** All ids so far. */
  list(): ReadonlySet<string>
}

const read = (answer: Answer): ReturnType<typeof JSON.parse> => expectStatus(answer, 200)

/**
 * Reads the ids of everything in the tenant's quiet project. Jobs of the other project are added as
 * the tenant creates them.
 */
export async function readForeignIds({ live, rest }: { live: AcmeProject; rest: AcmeProject }): Promise<ForeignIds> {
  const dashboard = toDashboardPath(rest)
  const invited = await askAsOwner(rest, {
    method: 'POST',
    path: `${dashboard}/invitations`,
    body: { role: 'viewer', email: 'guest@acme.example' },
  })
  const { jobs } = read(await askWithKey(rest, { path: `${toAgentPath(rest)}/jobs?limit=100` }))
  const { keys } = read(await askAsOwner(rest, { path: `${dashboard}/keys` }))
  const { members } = read(await askAsOwner(rest, { path: `${dashboard}/members` }))
  const { updates } = read(await askWithKey(rest, { path: `/v1/project/${rest.id}/updates` }))
  const { sessions } = read(await askAsOwner(rest, { path: '/dashboard/api/account/sessions' }))
  const [webhook] = rest.webhooks
  const path = `${toHooksPath(rest)}/${webhook?.id}/deliveries?limit=100`
  const { deliveries } = read(await askWithKey(rest, { path }))
  const tested = await askAsOwner(rest, { method: 'POST', path: `${dashboard}/repository-tests` })
  const toIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
  const fixed: Readonly<Record<IdKind, readonly string[]>> = {
    project: [rest.id, live.id],
    job: toIds(jobs),
    key: toIds(keys),
    webhook: webhook ? [webhook.id] : [],
    delivery: toIds(deliveries),
    deployment: updates.map(({ _id }: { _id: string }) => _id),
    user: members.map(({ userId }: { userId: string }) => userId),
    invitation: [expectStatus(invited, 201).id],
    test: [expectStatus(tested, 202).id],
    session: toIds(sessions),
  }
  return {
    pick(kind, random) {
      const ofLive = kind === 'job' ? [...live.jobs.keys()] : []
      return random.pick(ofLive.length > 0 && random.chance(0.5) ? ofLive : fixed[kind])
    },
    list: () => new Set([...Object.values(fixed).flat(), ...live.jobs.keys(), ...live.webhooks.map(({ id }) => id)]),
  }
}
