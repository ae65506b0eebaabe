import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { findRedisProblem } from '@corrigenda/cli/internal/doctor/find-redis-problem'
import { openQueue } from '@corrigenda/core/queue'
import { openLog } from '@corrigenda/core/runtime'
import { ensureRedisServer, findFreePort, makeDatabaseDir } from '@corrigenda/testkit'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { openRollingServices } from '../e2e/test-support/open-rolling-services.ts'
import { makeCertificates } from './test-support/make-certificates.ts'
import { openAcceptance, runCommand, toEnv } from './test-support/open-acceptance.ts'
import { ADMIN_PASSWORD, startTlsRedis, USER } from './test-support/start-redis-servers.ts'
import { startServer } from './test-support/start-server.ts'

test('jobs run with Redis over TLS, a private authority and a restricted ACL user', async () => {
  const services = await openRollingServices()
  const { dir, start } = services
  const certificates = await makeCertificates(dir, 'redis')
  const { port } = await startTlsRedis({ dir, name: 'redis', certificates })
  const url = (user: string, password: string) => `rediss://${user}:${password}@localhost:${port}`
  const redis = { REDIS_URL: url(USER.name, USER.password), NODE_EXTRA_CA_CERTS: certificates.ca }
  const env = toEnv(services, redis)
  await services.cli(env, 'migrate')
  await start('api-1', env)
  await start('worker-1', env)
  const { accept } = await openAcceptance(services, env, services.urls['api-1'])
  await accept(['one', 'two'])

  const admin = new Redis(url('default', ADMIN_PASSWORD), { tls: { ca: readFileSync(certificates.ca) } })
  onTestFinished(() => admin.disconnect())
  const clients = String(await admin.client('LIST')).split('\n')
  expect(clients.filter((line) => line.includes(`user=${USER.name} `)).length).toBeGreaterThan(2)
  // The documented permissions are enough.
  expect(await admin.acl('LOG')).toEqual([])
  const doctor = async (own: Record<string, string>) => (await runCommand(services, { ...env, ...own }, 'doctor')).text
  expect(await doctor({})).toMatch(/Queue.*Redis responds/)
  expect(await doctor({ NODE_EXTRA_CA_CERTS: '' })).toMatch(/Queue.*certificate of Redis is not trusted/)
  expect(await doctor({ REDIS_URL: url(USER.name, 'wrong') })).toMatch(/Queue.*rejects the user name or password/)
  console.log(`Redis over TLS with the user ${USER.name}: 2 jobs, one pull request each; nothing denied by the ACL`)
}, 600_000)

test('Redis Cluster is refused with a sentence', async () => {
  const dir = await makeDatabaseDir('corrigenda-cluster-')
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const [program, port] = [await ensureRedisServer(), await findFreePort()]
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--cluster-enabled', 'yes']
  await startServer({ program, args, port, log: path.join(dir, 'redis.log') })
  const url = `redis://127.0.0.1:${port}`
  const queue = openQueue({
    backend: { kind: 'redis', url },
    log: openLog({ level: 'silent', secrets: [], name: 'test' }),
  })
  onTestFinished(() => queue.close())
  const refused = /Redis Cluster is not supported/
  await expect(queue.wakeWorker()).rejects.toThrow(refused)
  expect(await findRedisProblem({ url })).toMatchObject({ state: 'problem', text: expect.stringMatching(refused) })
})
