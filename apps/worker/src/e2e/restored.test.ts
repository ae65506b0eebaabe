import { scriptPrompt } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toJobTrailer } from '../publish/build-commit-message.ts'
import { editPage, FULL, openTestService, type TestService } from './test-support/open-test-service.ts'

/** After a restore, the database does not contain a branch that was pushed after the backup. */
describe('a branch with a commit of the same job', () => {
  let service: TestService
  let author: { name: string; email: string }
  beforeAll(async () => {
    service = await openTestService('postgres')
    const worker = await service.startWorker()
    const { id } = await service.create(scriptPrompt('Edit.', [editPage(0, 'Zero.')]))
    await service.ended(id)
    const [name = '', email = ''] = (await inGit('log', '-1', '--format=%an%n%ae', `corrigenda/${id}`)).split('\n')
    author = { name, email }
    await worker.close()
  })
  afterAll(() => service.close())

  const inGit = (...args: string[]) => service.host.git(FULL, ...args)
  const listPulls = (id: string) => service.host.pulls(FULL).filter((pull) => pull.headRef === `corrigenda/${id}`)

  /** Creates a job, and its branch with a commit that an earlier execution could have made. */
  async function createWithBranch(n: number, changed: { author?: typeof author; trailer?: string } = {}) {
    const { id } = await service.create(scriptPrompt('Edit.', [editPage(n, 'New.')]))
    const commit = await service.host.pushCommit(FULL, `corrigenda/${id}`, {
      message: `Earlier\n\n${changed.trailer ?? toJobTrailer(id)}\n`,
      files: new Map([['earlier.md', { data: `Earlier ${n}.\n` }]]),
      author: changed.author ?? author,
    })
    return { id, commit }
  }

  test('is kept, with the changes of that commit and one pull request', async () => {
    const { id, commit } = await createWithBranch(1)
    const worker = await service.startWorker()
    const job = await service.ended(id)
    await worker.close()
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed', source: { ref: `corrigenda/${id}` } })
    expect(await inGit('rev-parse', `corrigenda/${id}`)).toBe(commit)
    const pulls = listPulls(id)
    expect(pulls.map(({ number }) => number)).toEqual([job.pullRequest?.number])
    const stored = await service.database.prisma.jobChanges.findUniqueOrThrow({ where: { jobId: id } })
    expect(stored.headCommit).toBe(commit)
    expect(JSON.stringify(stored.files)).toContain('earlier.md')
    expect(service.lines.join('')).toContain('the job keeps it')
  })

  test('is kept by a worker that takes over after the pull request was opened', async () => {
    const { id, commit } = await createWithBranch(2)
    let failures = 0
    const worker = await service.startWorker({}, async (point) => {
      if (point === 'pull.opened' && failures++ === 0) throw new Error('interrupted')
    })
    expect(await service.ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
    await worker.close()
    expect(failures).toBe(2)
    expect(await inGit('rev-parse', `corrigenda/${id}`)).toBe(commit)
    expect(listPulls(id)).toHaveLength(1)
  })

  test.each([
    ['was made or amended by another author', { author: { name: 'Ada', email: 'ada@example.com' } }],
    ['names another job', { trailer: 'Corrigenda-Job: job_00000000000000000000000000' }],
  ])('is not touched if its newest commit %s', async (_what, changed) => {
    const { id, commit } = await createWithBranch(3, changed)
    const worker = await service.startWorker()
    expect(await service.ended(id)).toMatchObject({ status: 'failed', failure: { code: 'branch_conflict' } })
    await worker.close()
    expect(await inGit('rev-parse', `corrigenda/${id}`)).toBe(commit)
    expect(listPulls(id)).toEqual([])
  })
})
