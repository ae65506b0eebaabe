import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endAtOnce } from './test-support/end-at-once.ts'
import { readWorld } from './test-support/read-world.ts'
import { startZombie } from './test-support/start-zombie.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('postgres')
})
afterAll(() => service.close())

/** Points before the first and after the last write to the Git host. */
const stops = ['branch.pushing', 'run.finishing'] as const

test.each(stops)('after a pause at %s, only the successor writes, and it adds the follow-up once', async (at) => {
  const [first, second] = [stops.indexOf(at) * 2, stops.indexOf(at) * 2 + 1]
  const { id } = await service.create(scriptPrompt(`Edit at ${at}.`, [editPage(first, 'First.')]))
  const worker = await service.startWorker()
  const opened = await endAtOnce(service, id)
  await worker.close()
  const branch = `corrigenda/${id}`
  const theirs = await service.host.pushCommit(FULL, branch, {
    message: 'docs: by hand',
    files: new Map([['by-hand.mdx', { data: '---\ntitle: By hand\n---\n\nText.\n' }]]),
  })
  await service.message(id, scriptPrompt(`Follow up at ${at}.`, [editPage(second, 'Second.')]))

  const zombie = await startZombie(service, at)
  await zombie.loseLease()
  const successor = await service.startWorker()
  const job = await endAtOnce(service, id)
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', prLink: opened.prLink })
  await zombie.notified
  const before = await readWorld(service, id)
  await zombie.awake()
  await successor.close()

  expect(await readWorld(service, id)).toEqual(before)
  expect(before.pulls).toHaveLength(1)
  const number = job.pullRequest?.number
  const body = service.host.pulls(FULL).find((pull) => pull.number === number)?.body
  expect(body?.match(/^## Follow-up 1$/gm)).toHaveLength(1)
  expect(await service.host.git(FULL, 'rev-parse', `${branch}^`)).toBe(theirs)
  expect((await service.host.git(FULL, 'rev-list', `main..${branch}`)).split('\n')).toHaveLength(3)
  expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [], unknown: [] })
})
