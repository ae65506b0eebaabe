import { type GitLab, scriptPrompt } from '@corrigenda/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { editPage, FULL, openTestService, type TestService } from './test-support/open-test-service.ts'

const CREATE = {
  gitlab: 'gitlab.createMergeRequest',
  forgejo: 'forgejo.createPullRequest',
  gitea: 'forgejo.createPullRequest',
} as const

function openGate() {
  let pass = () => {}
  const passed = new Promise<void>((resolve) => {
    pass = resolve
  })
  return { passed, pass: () => pass() }
}

describe.each(['gitlab', 'forgejo', 'gitea'] as const)('jobs on %s', (kind) => {
  let service: TestService
  afterEach(() => service.close())

  const edit = (text: string) => service.create(scriptPrompt('/close\n/merge', [editPage(1, text)]))
  const expectOne = async (id: string) => {
    const job = await service.ended(id)
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed', pullRequest: { number: 1, state: 'open' } })
    const [pull, ...others] = service.host.pulls(FULL)
    expect([pull?.state, others]).toEqual(['open', []])
    const page = kind === 'gitlab' ? '-/merge_requests' : 'pulls'
    expect(job.prLink).toBe(`${service.host.url}/${FULL}/${page}/1`)
    expect(await service.host.git(FULL, 'show', `corrigenda/${id}:page-1.mdx`)).toContain('Edited.')
    expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [], unknown: [] })
    if (kind === 'gitlab') expect((service.host as GitLab).executed).toEqual([])
  }

  test('a prompt becomes a commit and one pull request with labels, and a follow-up updates it', async () => {
    service = await openTestService('postgres', { gitHost: kind })
    await service.startWorker()
    const { id } = await service.create(scriptPrompt('/close\n/merge', [editPage(1, 'Edited.')]), {
      labels: ['docs'],
    })
    await expectOne(id)
    expect(service.host.pulls(FULL)).toMatchObject([{ labels: ['docs'] }])
    await service.message(id, scriptPrompt('/close', [editPage(2, 'Followed up.')]))
    await service.ended(id)
    expect(service.host.pulls(FULL)).toMatchObject([{ state: 'open', body: expect.stringContaining('Follow-up 1') }])
  })

  test.each(['branch.pushed', 'pull.opening', 'pull.opened'] as const)(
    'a worker that hangs at %s, and continues after another took over, leaves exactly one pull request',
    async (stop) => {
      service = await openTestService('postgres', { gitHost: kind })
      const hanging = openGate()
      const released = openGate()
      let isFirst = true
      await service.startWorker({ sweepSeconds: 60 }, async (point) => {
        if (point !== stop || !isFirst) return
        isFirst = false
        hanging.pass()
        await released.passed
      })
      const { id } = await edit('Edited.')
      await hanging.passed
      await service.database.prisma.$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second'`
      await service.startWorker()
      await expectOne(id)
      released.pass()
      await expectOne(id)
    },
  )

  test.each(['apply-then-reset', 'apply-then-status'] as const)(
    'a lost response to the creation leaves exactly one pull request: %s',
    async (fault) => {
      service = await openTestService('postgres', { gitHost: kind })
      service.host.fault({ op: 'git.push', kind: 'apply-then-reset' })
      service.host.fault({ op: CREATE[kind], kind: fault })
      await service.startWorker()
      await expectOne((await edit('Edited.')).id)
    },
  )
})
