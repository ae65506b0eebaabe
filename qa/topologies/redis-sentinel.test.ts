import { readFileSync } from 'node:fs'
import { RUN_QUEUE } from '@corrigenda/contracts'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { openRollingServices, PROCESSES } from '../e2e/test-support/open-rolling-services.ts'
import { makeCertificates } from './test-support/make-certificates.ts'
import { openAcceptance, runCommand, toEnv } from './test-support/open-acceptance.ts'
import {
  ADMIN_PASSWORD,
  MASTER,
  SENTINEL_PASSWORD,
  startSentinel,
  startTlsRedis,
  USER,
} from './test-support/start-redis-servers.ts'

const CLIENTS = 2

test('jobs run while the master of Redis is killed, and the workers use the new master without a restart', async () => {
  const services = await openRollingServices()
  const { dir, start, pidOf } = services
  const certificates = await makeCertificates(dir, 'redis')
  const master = await startTlsRedis({ dir, name: 'redis-1', certificates })
  const replica = await startTlsRedis({ dir, name: 'redis-2', certificates, masterPort: master.port })
  const at = (name: string) => startSentinel({ dir, name, certificates, masterPort: master.port })
  const sentinels = [await at('sentinel-1'), await at('sentinel-2'), await at('sentinel-3')]
  const list = sentinels.map(({ port }) => `127.0.0.1:${port}`)
  const tls = { ca: readFileSync(certificates.ca) }
  const open = (port: number, password: string) => {
    const redis = new Redis({ host: '127.0.0.1', port, password, tls })
    onTestFinished(() => redis.disconnect())
    return redis
  }
  const watcher = open(sentinels[0]?.port ?? 0, SENTINEL_PASSWORD)
  const second = open(replica.port, ADMIN_PASSWORD)

  const env = toEnv(services, {
    REDIS_URL: `rediss://${USER.name}:${USER.password}@${MASTER}`,
    REDIS_SENTINELS: list.join(','),
    REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    NODE_EXTRA_CA_CERTS: certificates.ca,
  })
  await services.cli(env, 'migrate')
  for (const name of PROCESSES) await start(name, env)
  const { load, accept, check, wait } = await openAcceptance(services, env, services.urls['api-1'])
  await accept(['first'])
  const doctor = async (own = {}) => (await runCommand(services, { ...env, ...own }, 'doctor')).text
  expect(await doctor()).toMatch(/Queue.*Redis responds/)
  expect(await doctor({ REDIS_SENTINEL_PASSWORD: 'wrong' })).toMatch(/Queue.*No master is reachable.*WRONGPASS/)
  await wait(async () => String(await second.info('replication'))).toContain('master_link_status:up')
  await wait(async () => String(await watcher.info('sentinel'))).toMatch(/slaves=1,sentinels=3/)

  let isLoading = true
  const repeat = async (client: number) => {
    for (let n = 0; isLoading; n += 1) await load.ended(await load.create(`${client}-${n}`))
  }
  const working = Promise.all(Array.from({ length: CLIENTS }, (_, n) => repeat(n)))
  working.catch(() => {})
  const jobsAfter = (count: number) =>
    Promise.race([working, wait(async () => load.jobs.length).toBeGreaterThan(count)])
  const pids = PROCESSES.map(pidOf)
  await jobsAfter(3)
  const active = (await Promise.all(load.jobs.map(load.read))).filter(({ status }) => status === 'active').length
  await master.kill()
  // Jobs are accepted while there is no master.
  const during = await Promise.all(['a', 'b', 'c', 'd'].map((name) => load.create(`down-${name}`)))
  const findMaster = async () => String(await watcher.call('SENTINEL', 'get-master-addr-by-name', MASTER))
  await wait(findMaster).toBe(`127.0.0.1,${replica.port}`)
  // Both APIs add their wake-ups to the new master, and both workers wait for them there.
  await wait(async () => Number(await second.get(`bull:${RUN_QUEUE}:id`))).toBeGreaterThan(0)
  const blocked = async () => String(await second.client('LIST')).match(/cmd=bzpopmin/g)?.length ?? 0
  const wakeUps = Number(await second.get(`bull:${RUN_QUEUE}:id`))
  await wait(blocked).toBeGreaterThan(0)
  await jobsAfter(load.jobs.length + 3 * CLIENTS)
  isLoading = false
  await working
  await wait(blocked).toBe(2)
  expect(Number(await second.get(`bull:${RUN_QUEUE}:id`))).toBeGreaterThan(wakeUps)
  expect(PROCESSES.map(pidOf)).toEqual(pids)
  const jobs = await check()
  console.log(
    `master killed: ${jobs} jobs, ${active} of them active when it was killed and ${during.length} created without a master; failed 0, lost 0, duplicates 0; both workers wait at the new master`,
  )
}, 900_000)
