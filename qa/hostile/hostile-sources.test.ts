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
import { buildGoodOrigin } from './hostile-row.ts'
import { hostileRows } from './hostile-rows.ts'

/** Codes after which a job is not retried. */
const PERMANENT = ['hostile_tree', 'unreadable_tree', 'too_large']
const rows = hostileRows
  .filter(
    ({ expect: wanted }) => wanted.outcome === 'refused' && wanted.codes.every((code) => PERMANENT.includes(code)),
  )
  // Every sixth, because the other tests open all of them in the same way.
  .filter((_, n) => n % 6 === 0)

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

/** Runs a job with a source on the hostile host. The strict Git host serves the source's API. */
async function run(number: number, build: (typeof rows)[number]['build']) {
  const full = `acme/source-${number}`
  await service.host.createRepository(full, { commits: [{ message: 'x', files: new Map([['a', { data: 'a' }]]) }] })
  build(hostile.put(`/${full}.git`))
  const { id: projectId } = await service.addProject('acme/docs')
  const source = { ref: null, paths: [], visibility: null, cite: null, quotable: [] }
  await updateProjectSettings(
    {
      ...{ audit: COMMAND_LINE, ...service.database, allowedRepositoryHosts: hosts() },
      ...{ allowedHookHosts: [], deployTargetKey: Buffer.alloc(32) },
    },
    { projectId, change: { sources: [{ ...source, name: 'code', repository: `${hostile.address}/${full}` }] } },
  )
  const { id } = await service.create(scriptPrompt(`Edit ${number}.`, [editPage(number, 'x')]), {}, projectId)
  return await service.ended(id, projectId)
}

test('there are rows', () => expect(rows.length).toBeGreaterThan(5))

test.each(rows.map((row, n) => [row.name, n, row] as const))(
  'a job whose source is hostile fails with a message that names it: %s',
  async (_, n, { build }) => {
    const job = await run(n, build)
    expect(job).toMatchObject({ status: 'failed', failure: { code: 'source_unavailable' }, prLink: null })
    expect(job.failure?.message).toMatch(/^The source code cannot be read\. /)
  },
  120_000,
)

test('a valid source is read afterwards', async () => {
  expect(await run(59, buildGoodOrigin)).toMatchObject({ outcome: 'changed', failure: null })
})
