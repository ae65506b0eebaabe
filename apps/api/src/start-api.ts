import {
  deriveSecrets,
  ensureInstance,
  type Log,
  openDatabase,
  openLog,
  openMonitor,
  openQueue,
} from '@corrigenda/core'
import { buildApp } from './app.ts'
import type { ApiConfig } from './config.ts'

export interface RunningApi {
  /** Where it answers, such as http://127.0.0.1:8080. */
  readonly url: string
  /** Takes no new requests, ends those that run, then closes everything it opened. */
  close(): Promise<void>
}

/** Opens what the API needs, in the order it is closed again, and listens. */
export async function startApi(config: ApiConfig, log: Log = openApiLog(config)): Promise<RunningApi> {
  const secrets = deriveSecrets(config.secret)
  const database = openDatabase({
    url: config.databaseUrl,
    maxConnections: config.databaseConnections,
    onError: (error) => log.warn({ reason: error.message }, 'database connection lost'),
  })
  await ensureInstance(database, secrets.fingerprint)
  const backend = config.redisUrl
    ? ({ kind: 'redis', url: config.redisUrl } as const)
    : ({ kind: 'postgres', url: config.databaseUrl } as const)
  const queue = openQueue({ backend, log })
  const monitor = openMonitor({
    url: config.databaseUrl,
    onChange: (isUp) => (isUp ? log.info('database is back') : log.error('database cannot be reached')),
  })
  const app = await buildApp({
    prisma: database.prisma,
    queue,
    monitor,
    log,
    keyPepper: secrets.keyPepper,
    defaultModel: config.model,
    quota: config.quota,
    edgeRateLimit: config.edgeRateLimit,
    failedAuthRateLimit: config.failedAuthRateLimit,
    trustProxy: config.trustProxy,
  })
  const url = await app.listen({ host: config.host, port: config.port })
  log.info({ url, queue: backend.kind }, 'api listening')
  return {
    url,
    async close() {
      await app.close()
      await monitor.close()
      await queue.close().catch((error: Error) => log.warn({ reason: error.message }, 'queue did not close'))
      await database.close()
    },
  }
}

export function openApiLog(config: ApiConfig): Log {
  return openLog({
    level: config.logLevel,
    secrets: [config.secret, config.databaseUrl, config.redisUrl ?? ''],
    name: 'api',
  })
}
