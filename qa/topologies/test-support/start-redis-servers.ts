import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ensureRedisServer, findFreePort } from '@corrigenda/testkit'
import type { Certificates } from './make-certificates.ts'
import { startServer } from './start-server.ts'

/** The user that docs/scaling.md describes, with its password. */
export const USER = { name: 'corrigenda', password: 'redis-password-1' }
export const ADMIN_PASSWORD = 'admin-password-1'
export const SENTINEL_PASSWORD = 'sentinel-password-1'
export const MASTER = 'mymaster'

/** Starts Redis with TLS only and an ACL user. */
export async function startTlsRedis(input: {
  dir: string
  name: string
  certificates: Certificates
  masterPort?: number
}) {
  const { dir, name, certificates, masterPort } = input
  return start(dir, name, certificates, [
    `user default on >${ADMIN_PASSWORD} ~* &* +@all`,
    `user ${USER.name} on >${USER.password} ~bull:* resetchannels +@all -@dangerous +info`,
    'appendonly yes',
    'maxmemory-policy noeviction',
    'save ""',
    `masterauth ${ADMIN_PASSWORD}`,
    ...(masterPort === undefined ? [] : [`replicaof 127.0.0.1 ${masterPort}`]),
  ])
}

/** Starts a sentinel that watches a master. */
export async function startSentinel(input: {
  dir: string
  name: string
  certificates: Certificates
  masterPort: number
}) {
  const { dir, name, certificates, masterPort } = input
  const lines = [
    `requirepass ${SENTINEL_PASSWORD}`,
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2`,
    `sentinel auth-pass ${MASTER} ${ADMIN_PASSWORD}`,
    `sentinel down-after-milliseconds ${MASTER} 2000`,
    `sentinel failover-timeout ${MASTER} 10000`,
  ]
  return start(dir, name, certificates, lines, ['--sentinel'])
}

async function start(
  dir: string,
  name: string,
  { ca, cert, key }: Certificates,
  lines: readonly string[],
  args: readonly string[] = [],
) {
  const port = await findFreePort()
  const home = path.join(dir, name)
  await mkdir(home)
  const file = path.join(home, 'redis.conf')
  const tls = [`tls-cert-file ${cert}`, `tls-key-file ${key}`, `tls-ca-cert-file ${ca}`, 'tls-auth-clients no']
  const common = [`dir ${home}`, 'bind 127.0.0.1', 'port 0', `tls-port ${port}`, 'tls-replication yes', ...tls]
  await writeFile(file, `${[...common, ...lines].join('\n')}\n`)
  const program = await ensureRedisServer()
  return startServer({ program, args: [file, ...args], port, log: path.join(home, 'redis.log') })
}
