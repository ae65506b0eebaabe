import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { MessagesApi } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AcceptedJob } from '../client/submit-job.ts'
import { buildPages } from '../plan/build-pages.ts'
import { buildJobPlan } from '../plan/job-plan.ts'
import { buildRandom } from '../plan/random.ts'
import { type Outside, openOutside } from '../stack/open-outside.ts'
import { checkCommits } from './check-commits.ts'
import { checkHost } from './check-host.ts'
import { checkModel } from './check-model.ts'
import type { Tables } from './read-tables.ts'

const FULL = 'acme/docs'
const pages = buildPages(10)
const turns = { min: 2, max: 2 }
const plan = buildJobPlan(buildRandom(1), { name: 'one', project: 0, pages, turns, delayMs: { min: 0, max: 0 } })
const job: AcceptedJob = { id: 'job_1', plan, project: { id: 'prj_1', key: 'k', repository: FULL } }
const branch = 'corrigenda/job_1'
let dir: string
let outside: Outside

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-chaos-test-'))
  outside = await openOutside(dir, pages)
  await outside.addRepository(FULL)
})

afterAll(async () => {
  await outside.close()
  await rm(dir, { recursive: true, force: true })
})

const tables = (outcome: string | null, link: string | null): Tables => ({
  jobs: [{ id: 'job_1', status: 'completed', outcome, failure_code: null, pr_link: link, last_event_seq: 0 }],
  runs: [{ id: 'run_1', job_id: 'job_1', active: false, attempt: 2, handovers: 0 }],
  events: new Map(),
  transcripts: new Map([['run_1', { run_id: 'run_1', rows: 9, answers: 4, max_seq: 8 }]]),
})
const check = async (known: Tables, jobs = [job]) =>
  (await checkHost({ ...outside, tables: known, jobs })).violations.join('\n')
const openPull = async (head: string) => {
  const { host } = outside
  const response = await fetch(`${host.apiUrl}/repos/${FULL}/pulls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}`, 'user-agent': 'test', 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'x', head, base: 'main' }),
  })
  return JSON.parse(await response.text()).html_url as string
}

test('detects missing, unexpected, incorrect and changed branches and pull requests', async () => {
  const { host } = outside
  expect(await check(tables('no_changes', null))).toBe('')
  expect(await check(tables('changed', 'x'))).toMatch(/completed with 0 pull requests/)
  const files = new Map([...plan.files].map(([file, data]) => [file, { data }]))
  await host.pushCommit(FULL, branch, { message: 'docs', files })
  const link = await openPull(branch)
  expect(await check(tables('changed', link))).toBe('')
  expect(await check(tables('changed', 'https://example.com/pull/9'))).toMatch(/its prLink is/)
  expect(await check(tables('cancelled', null))).toMatch(/its outcome is cancelled, but it has a pull request/)
  expect(await check(tables('changed', link), [])).toMatch(/does not belong to a job[\s\S]*unexpected branch/)
  await host.pushCommit(FULL, branch, { message: 'more', files: new Map([['x.md', { data: 'x' }]]) })
  expect(await check(tables('changed', link))).toMatch(/does not contain the changes from its script/)
  await host.git(FULL, 'update-ref', 'refs/heads/main', branch)
  expect(await check(tables('changed', link))).toMatch(/its base branch was changed/)
})

test('detects several commits of one job and a commit without a valid signature', async () => {
  const commit = await outside.host.git(FULL, 'rev-parse', 'main')
  const update = { repo: FULL, ref: `refs/heads/${branch}`, via: 'push', new: commit }
  const host = (refUpdates: object[]) =>
    ({ stats: () => ({ refUpdates }), git: outside.host.git }) as unknown as Parameters<typeof checkCommits>[0]['host']
  const signingKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA corrigenda'
  expect(await checkCommits({ host: host([{ ...update, via: 'user' }]), signingKey }, [job])).toEqual([])
  expect(await checkCommits({ host: host([update, update]), signingKey }, [job])).toEqual([
    expect.stringContaining(`git rejects the signature of ${commit}`),
  ])
  const other = { ...update, new: 'a'.repeat(40) }
  const [first] = await checkCommits({ host: host([update, other]), signingKey }, [job])
  expect(first).toContain('2 commits were pushed')
})

test('detects a model turn that was repeated without an interruption', () => {
  const answers = (count: number) =>
    ({
      violations: () => [],
      rejected: () => [],
      requests: Array.from({ length: count }, () => ({ status: 200, end: 'complete', label: 'one/0' })),
    }) as unknown as MessagesApi
  expect(checkModel(answers(5), tables('changed', 'x'), [job], new Map())).toMatchObject({
    violations: [],
    needed: 4,
    repeated: 1,
    repeatedByKills: 0,
  })
  const interrupted = new Map([[job.id, { killed: 1, otherwise: 0 }]])
  expect(checkModel(answers(5), tables('changed', 'x'), [job], interrupted).repeatedByKills).toBe(1)
  interrupted.set(job.id, { killed: 1, otherwise: 1 })
  expect(checkModel(answers(5), tables('changed', 'x'), [job], interrupted).repeatedByKills).toBe(0)
  expect(checkModel(answers(6), tables('changed', 'x'), [job], new Map()).violations.join()).toMatch(
    /repeated model turns: 2/,
  )
})
