import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { DatabaseMonitor } from '@corrigenda/core/db'
import { expect, onTestFinished, test } from 'vitest'
import { openUsersApi, PASSWORD } from '../test-support/open-users-api.ts'
import { limitPasswordWork } from './passwords.ts'

test('a request that waits for a password check has no database time limit meanwhile', async () => {
  const watched = new Set<unknown>()
  const monitor: DatabaseMonitor = {
    isUp: true,
    watch(cut) {
      watched.add(cut)
      return () => watched.delete(cut)
    },
    run: (work) => work(),
    close: async () => {},
  }
  const api = await openUsersApi({ monitor })
  let pending = 4
  const signIns = Array.from({ length: pending }, async (_, n) => {
    const body = { email: `user-${n}@example.com`, password: PASSWORD }
    const { statusCode } = await api.ask('POST', '/dashboard/api/sign-in', { body })
    pending -= 1
    return statusCode
  })
  // Only two passwords are checked at the same time.
  await expect.poll(() => pending < 4 && pending > 0 && watched.size === 0, { interval: 5, timeout: 20_000 }).toBe(true)
  expect(await Promise.all(signIns)).toEqual(signIns.map(() => 401))
})

test('at most two passwords are checked at the same time, from all addresses', async () => {
  const api = await openUsersApi()
  const { scrypt } = crypto
  let [running, most, all] = [0, 0, 0]
  const count = (...args: Parameters<typeof scrypt>) => {
    const done = args.pop() as (error: Error | null, key: Buffer) => void
    running += 1
    all += 1
    most = Math.max(most, running)
    const call = scrypt as (...rest: unknown[]) => void
    call(...args, (error: Error | null, key: Buffer) => {
      running -= 1
      done(error, key)
    })
  }
  const replace = (value: typeof scrypt) => {
    crypto.scrypt = value
    syncBuiltinESMExports()
  }
  replace(count as typeof scrypt)
  onTestFinished(() => replace(scrypt))
  const signIns = Array.from({ length: 6 }, async (_, n) => {
    const body = { email: `user-${n}@example.com`, password: PASSWORD }
    return (await api.ask('POST', '/dashboard/api/sign-in', { body, address: `192.0.2.${n}` })).statusCode
  })
  expect(await Promise.all(signIns)).toEqual(signIns.map(() => 401))
  expect([all, most]).toEqual([6, 2])
})

test('an address has one check at a time, so that it does not delay others', async () => {
  const run = limitPasswordWork()
  const started: string[] = []
  const releases: (() => void)[] = []
  const check = (address: string) =>
    run(address, () => {
      started.push(address)
      return new Promise<void>((resolve) => releases.push(resolve))
    })
  const checks = [check('a'), check('a'), check('a'), check('b')]
  await new Promise(setImmediate)
  expect(started).toEqual(['a', 'b'])
  const others = Array.from({ length: 47 }, () => check('a'))
  await expect(check('a')).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 })
  let left = checks.length + others.length
  for (const one of [...checks, ...others]) void one.then(() => (left -= 1))
  await expect
    .poll(() => {
      for (const release of releases) release()
      return left
    })
    .toBe(0)
})
