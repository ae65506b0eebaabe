import { rm } from 'node:fs/promises'
import path from 'node:path'
import { ensureRedisServer, startRedis } from '@corrigenda/testkit'
import { Redis } from 'ioredis'

/** A private Redis server with an append-only file. */
export interface QueueServer {
  readonly url: string
  flush(): Promise<void>
  /**
   * Kills the server with SIGKILL and restarts it. If `keepFile` is false, all data is lost, as on
   * a server without persistence.
   */
  crash(options: { keepFile: boolean }): Promise<void>
  close(): Promise<void>
}

export async function startQueueServer(): Promise<QueueServer> {
  const server = await startRedis(await ensureRedisServer())
  const use = async <T>(work: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(server.url, { lazyConnect: true, maxRetriesPerRequest: 5 })
    client.on('error', () => {})
    try {
      return await work(client)
    } finally {
      client.disconnect()
    }
  }
  return {
    url: server.url,
    flush: () => use(async (client) => void (await client.flushall())),
    async crash({ keepFile }) {
      const [, dir] = (await use((client) => client.config('GET', 'dir'))) as [string, string]
      await server.stop('SIGKILL')
      if (!keepFile) await rm(path.join(dir, 'appendonlydir'), { recursive: true, force: true })
      await server.restart()
    },
    close: () => server.close(),
  }
}
