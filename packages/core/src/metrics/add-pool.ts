import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'

/** Reports how many connections of each pool are in use or idle, and how many requests wait for one. */
export function addPool(registry: Registry, pools: Readonly<Record<string, Pick<pg.Pool, PoolCount>>>): void {
  new Gauge({
    name: 'corrigenda_pool_connections',
    help: 'Database connections of this process, and requests that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        // A request that an idle connection takes in the next tick does not wait. The statement of
        // this scrape can be such a request.
        this.set({ pool, state: 'waiting' }, Math.max(waitingCount - idleCount, 0))
      }
    },
  })
}

type PoolCount = 'totalCount' | 'idleCount' | 'waitingCount'
