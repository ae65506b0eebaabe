import { createHash } from 'node:crypto'

/** First key of the advisory locks that workers hold. The second key is the worker's. */
export const WORKER_LOCKS = 0x434f5252

/** Returns the second key of a worker's lock, an unsigned 32-bit number as in `pg_locks.objid`. */
export const toWorkerKey = (owner: string): number => createHash('sha256').update(owner).digest().readUInt32BE()

/** SQL query for the `objid` of all worker locks held in this database. */
export const HELD_WORKER_LOCKS = `
  SELECT objid FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${WORKER_LOCKS} AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
