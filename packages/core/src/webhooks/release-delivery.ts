import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { DELIVERIES, type DeliveryClaim } from './claim-deliveries.ts'

/**
 * Releases a delivery on shutdown, so that another worker can send it immediately. The attempt does
 * not count. Does nothing when the lease is lost.
 */
export async function releaseDelivery(
  { prisma }: Pick<Database, 'prisma'>,
  claim: Pick<DeliveryClaim, 'id' | 'attempt'>,
): Promise<void> {
  await releaseLease(prisma, DELIVERIES, claim, Prisma.sql`forgiven = forgiven + 1`)
}
