import type { Database } from '../db/open-database.ts'
import type { DeliveryClaim } from './claim-deliveries.ts'

/** Gives a delivery back at a shutdown, to be sent by another worker at once. The attempt does not count. Does nothing when it is not ours any more. */
export async function returnDelivery(
  { prisma }: Pick<Database, 'prisma'>,
  claim: Pick<DeliveryClaim, 'id' | 'attempt'>,
): Promise<void> {
  await prisma.$executeRaw`
    UPDATE webhook_deliveries SET forgiven = forgiven + 1, lease_until = NULL, lease_owner = NULL
    WHERE id = ${claim.id} AND attempt = ${claim.attempt} AND status = 'pending' AND lease_until IS NOT NULL`
}
