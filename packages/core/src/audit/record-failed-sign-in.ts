import { newId } from '../base/new-id.ts'
import { toStorable } from '../base/to-storable.ts'
import type { Database } from '../db/open-database.ts'

/** Failed sign-ins that are recorded per hour, so that an attacker cannot fill the database. */
export const FAILED_SIGN_INS_PER_HOUR = 1_000

/**
 * Records a failed sign-in in the audit log. Takes the same time whether or not the account exists.
 * @param input.email the address that was entered
 */
export async function recordFailedSignIn(
  { prisma }: Pick<Database, 'prisma'>,
  input: { readonly email: string; readonly ipAddress: string; readonly requestId: string },
): Promise<void> {
  const { email, ipAddress, requestId } = toStorable(input)
  await prisma.$executeRaw`
    INSERT INTO audit_events (id, action, actor_type, actor_name, ip_address, request_id, target_type, target_id, target_name)
    SELECT ${newId('aud')}, 'session.sign_in_failed', 'anonymous', 'not signed in', ${ipAddress}, ${requestId},
      'email', ${email}, NULL
    WHERE (
      SELECT count(*) FROM (
        SELECT FROM audit_events
        WHERE action = 'session.sign_in_failed' AND created_at > clock_timestamp() - interval '1 hour'
        LIMIT ${FAILED_SIGN_INS_PER_HOUR}
      ) AS recent
    ) < ${FAILED_SIGN_INS_PER_HOUR}`
}
