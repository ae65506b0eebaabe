import { COMMAND_LINE } from '@corrigenda/core/audit'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostileHost, startHostileHost } from './hostile-host.ts'
import { buildGoodOrigin, type HostileRow } from './hostile-row.ts'
import { hostileRows } from './hostile-rows.ts'

/** Codes after which a job is not retried. */
const PERMANENT = ['hostile_tree', 'unreadable_tree', 'too_large']
/** Rows with a file that is only refused when it is read. Others have a `lazyPath`. */
const REFUSED_LATE = ['a chain of 300 deltas of 1 MiB']
const isWhole = process.env.WHOLE_CORPUS === '1'

/** Returns the rows with one of these codes, by default every sixth, because all are opened in the same way. */
function listRows(isWanted: (code: string) => boolean, isLate: boolean) {
  return hostileRows
    .filter(({ expect: wanted }) => wanted.outcome === 'refused' && wanted.codes.every(isWanted))
    .filter(({ name, lazyPath }) => (lazyPath !== undefined || REFUSED_LATE.includes(name)) === isLate)
    .filter((_, n) => isWhole || n % 6 === 0)
    .map((row) => [row.name, row] as const)
}

const refused = listRows((code) => PERMANENT.includes(code), false)
const damaged = listRows((code) => code === 'corrupt_pack', false)
const late = listRows((code) => PERMANENT.includes(code), true)

let service: TestService
let hostile: HostileHost
beforeAll(async () => {
  service = await openTestService('postgres')
  hostile = await startHostileHost()
  await service.startWorker({ concurrency: 2, allowedRepositoryHosts: hosts() })
})
afterAll(async () => {
  await service.close()
  await hostile.close()
})

const hosts = () => [...service.config.allowedRepositoryHosts, new URL(hostile.address).host]

let number = 0

/**
 * Runs a job with a source on the hostile host. The strict Git host serves the source's API. Waits
 * between retries are skipped.
 */
async function run(build: HostileRow['build']) {
  number += 1
  const full = `acme/source-${number}`
  await service.host.createRepository(full, { commits: [{ message: 'x', files: new Map([['a', { data: 'a' }]]) }] })
  build(hostile.put(`/${full}.git`))
  const { id: projectId } = await service.addProject('acme/docs')
  const source = { ref: null, paths: [], visibility: null, cite: null, quotable: [] }
  await updateProjectSettings(
    {
      audit: COMMAND_LINE,
      ...service.database,
      allowedRepositoryHosts: hosts(),
      allowedHookHosts: [],
      deployTargetKey: Buffer.alloc(32),
    },
    { projectId, change: { sources: [{ ...source, name: 'code', repository: `${hostile.address}/${full}` }] } },
  )
  const { id } = await service.create(scriptPrompt(`Edit ${number}.`, [editPage(number, 'x')]), {}, projectId)
  const { prisma } = service.database
  const skipWaits = () => prisma.$executeRaw`UPDATE runs SET next_run_at = now() WHERE job_id = ${id} AND active`
  const timer = setInterval(() => void skipWaits(), 300)
  return await service.ended(id, projectId).finally(() => clearInterval(timer))
}

test('there are rows', () => {
  expect(refused.length).toBeGreaterThan(5)
  expect(damaged.length).toBeGreaterThan(2)
  expect(late.length).toBeGreaterThan(0)
})

test.each([...refused, ...damaged])(
  'a job whose source is hostile or damaged fails with a message that names it: %s',
  async (_, { build }) => {
    const job = await run(build)
    expect(job).toMatchObject({ status: 'failed', failure: { code: 'source_unavailable' }, prLink: null })
    expect(job.failure?.message).toMatch(/^The source code cannot be read\. /)
  },
  120_000,
)

test.each(late)(
  'a job whose source has a file that cannot be read completes: %s',
  async (_, { build }) => {
    expect(await run(build)).toMatchObject({ outcome: 'changed', failure: null })
  },
  120_000,
)

test('a valid source is read afterwards', async () => {
  expect(await run(buildGoodOrigin)).toMatchObject({ outcome: 'changed', failure: null })
})
