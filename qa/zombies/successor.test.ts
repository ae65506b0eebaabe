import { FrozenPublish } from '@corrigenda/core/runs'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { RUN_POINTS } from '@corrigenda/worker/internal/run/run-point'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endAtOnce } from './test-support/end-at-once.ts'
import { readWorld } from './test-support/read-world.ts'
import { startZombie } from './test-support/start-zombie.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('postgres')
})
afterAll(() => service.close())

/** All points before the end of a run. */
const stops = RUN_POINTS.filter((point) => point !== 'run.finished')
const pinned = stops.slice(stops.indexOf('run.started'))

/**
 * The points where a failure is most costly. `pnpm qa chaos points` kills real processes at every
 * point.
 */
const chosen = [
  'model.answered',
  'turn.saved',
  'run.freezing',
  'run.frozen',
  'branch.pushed',
  'push.recorded',
  'pull.opening',
  'pull.opened',
] as const

test.each(chosen)('after a pause at %s, only the successor writes, and it opens one pull request', async (at) => {
  const [first, second] = [stops.indexOf(at) * 2, stops.indexOf(at) * 2 + 1]
  const prompt = scriptPrompt(`Edit at ${at}.`, [editPage(first, 'First.'), editPage(second, 'Second.')])
  const base = await service.host.git(FULL, 'rev-parse', 'main')
  const { id } = await service.create(prompt)
  const zombie = await startZombie(service, at)
  const { frozen } = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: id } })
  // While the worker is stopped, time passes and the base branch moves.
  if (pinned.includes(at)) {
    const files = new Map([[`page-${first}.mdx`, { data: '---\ntitle: By hand\n---\n\nRewritten by hand.\n' }]])
    await service.host.pushCommit(FULL, 'main', { message: 'docs: by hand', files })
  }
  if (frozen) {
    const { timestamp } = FrozenPublish.parse(frozen)
    await expect.poll(() => Date.now() / 1000, { interval: 20 }).toBeGreaterThan(timestamp + 1)
  }
  await zombie.loseLease()
  const successor = await service.startWorker()
  expect(await endAtOnce(service, id)).toMatchObject({ status: 'completed', outcome: 'changed' })
  await zombie.notified
  const before = await readWorld(service, id)
  await zombie.awake()
  await successor.close()

  expect(await readWorld(service, id)).toEqual(before)
  const branch = `corrigenda/${id}`
  const tip = await service.host.git(FULL, 'rev-parse', branch)
  expect(before.branches).toEqual([`${branch} ${tip}`])
  expect(before.pulls).toMatchObject([{ state: 'open', headRef: branch, headSha: tip }])
  // The branch has one commit on the original base, the frozen commit if the run was frozen.
  expect(await service.host.git(FULL, 'rev-list', '--parents', '-1', branch)).toBe(`${tip} ${base}`)
  const changed = await service.host.git(FULL, 'diff', '--name-only', base, branch)
  expect(changed.split('\n').sort()).toEqual([`page-${first}.mdx`, `page-${second}.mdx`].sort())
  if (frozen) expect(FrozenPublish.parse(frozen).commit).toBe(tip)
  expect(before.events.filter(({ type }) => type === 'job.completed' || type === 'job.failed')).toHaveLength(1)
  expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [], unknown: [] })
  expect(service.model.violations()).toEqual([])
})
