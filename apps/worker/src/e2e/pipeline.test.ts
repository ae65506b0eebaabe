import { scriptPrompt } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackendKind,
  editPage,
  FULL,
  openTestService,
  type TestService,
} from './test-support/open-test-service.ts'

let service: TestService
const open = async (kind: BackendKind) => {
  service = await openTestService(kind)
  await service.startWorker()
}

describe.each(['redis', 'postgres'] as const)('pipeline on %s', (kind) => {
  beforeAll(() => open(kind))
  afterAll(() => service.close())

  test('turns a prompt into one commit, one branch and one pull request', async () => {
    const prompt = scriptPrompt('Change the marker of page 3, please.', [
      [{ tool: 'view', input: { path: 'page-3.mdx' } }],
      editPage(3, 'Changed.'),
    ])
    const created = await service.create(prompt, { title: 'Change page three', labels: ['docs'] })
    const job = await service.ended(created.id)
    const branch = `corrigenda/${job.id}`
    expect(job).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      title: 'Change page three',
      source: { ref: branch },
      failure: null,
      phase: null,
    })
    const [pull, ...more] = service.host.pulls(FULL).filter((p) => p.headRef === branch)
    expect(more).toEqual([])
    expect(pull).toMatchObject({
      title: 'Change page three',
      baseRef: 'main',
      draft: false,
      state: 'open',
      labels: ['docs'],
    })
    expect(job.prLink).toBe(`${service.host.repositoryUrl(FULL)}/pull/${pull?.number}`)
    expect((await fetch(job.prLink ?? '')).status).toBe(200)
    expect(pull?.body).toContain('Change the marker of page 3, please.')
    expect(pull?.body).toContain(job.id)
    expect(await service.host.git(FULL, 'diff', '--name-status', 'main', branch)).toBe('M\tpage-3.mdx')
    expect(await service.host.git(FULL, 'rev-list', '--count', `main..${branch}`)).toBe('1')
    expect(await service.host.git(FULL, 'log', '-1', '--format=%B', branch)).toContain(`Corrigenda-Job: ${job.id}`)
    expect(await service.host.git(FULL, 'fsck', '--connectivity-only')).toBe('')
    expect(job.usage.turns).toBeGreaterThanOrEqual(4)
    expect(job.usage.costUsd).toBeGreaterThan(0)
    expect(job.checks.map((check) => [check.name, check.status])).toEqual([
      ['syntax', 'passed'],
      ['frontmatter', 'passed'],
      ['links', 'passed'],
      ['anchors', 'passed'],
      ['images', 'passed'],
      ['navigation', 'passed'],
      ['redirects', 'passed'],
    ])
    const events = await service.database.prisma.jobEvent.findMany({
      where: { jobId: job.id },
      orderBy: { seq: 'asc' },
    })
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.map((event) => event.type).filter((type) => !/^(?:agent|tool)\./.test(type))).toEqual([
      'job.created',
      'job.started',
      'checkout.ready',
      'phase.changed',
      'change.frozen',
      'branch.pushed',
      'job.completed',
    ])
  })

  test('sends only valid requests to the model and the Git host', () => {
    expect(service.model.rejected()).toEqual([])
    expect(service.model.violations()).toEqual([])
    expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [], unknown: [] })
  })
})

describe('a job', () => {
  beforeAll(() => open('postgres'))
  afterAll(() => service.close())

  test('ends without a branch or a pull request if the agent changes nothing, asks or cannot do it', async () => {
    const refs = await service.host.git(FULL, 'for-each-ref')
    const work = async (outcome: string, reason: string) => {
      const turns = [[{ tool: 'finish', input: { outcome, reason } }]]
      const { id } = await service.create(scriptPrompt(`Finish with ${outcome}.`, turns))
      return service.ended(id)
    }
    const ended = { status: 'completed', prLink: null, source: { ref: null } }
    const [none, question, impossible] = await Promise.all([
      work('no_change', 'The page already contains this text.'),
      work('needs_input', 'Which version?'),
      work('impossible', 'No facts.'),
    ])
    expect(none).toMatchObject({ ...ended, outcome: 'no_changes', summary: 'The page already contains this text.' })
    expect(question).toMatchObject({ ...ended, outcome: 'needs_input', summary: 'Which version?' })
    const failure = { code: 'impossible', message: 'No facts.' }
    expect(impossible).toMatchObject({ ...ended, status: 'failed', outcome: 'failed', failure })
    expect(await service.host.git(FULL, 'for-each-ref')).toBe(refs)
  })

  test('fails with the question if the job or its project allows none, and tells the agent', async () => {
    const turns = [[{ tool: 'finish', input: { outcome: 'needs_input', reason: 'Which version?' } }]]
    const failed = {
      status: 'failed',
      outcome: 'failed',
      prLink: null,
      checks: [],
      failure: { code: 'needs_input', message: 'Which version?' },
    }
    const isTold = (text: string) =>
      service.model.requests.some((request) => {
        const all = JSON.stringify(request)
        return all.includes(text) && all.includes('needs_input fails this job')
      })
    const one = await service.create(scriptPrompt('Document one.', turns), { questions: 'fail' })
    expect(await service.ended(one.id)).toMatchObject(failed)
    const settings = { policy: { questions: 'fail' } }
    await service.database.prisma.project.update({ where: { id: service.project.id }, data: { settings } })
    const two = await service.create(scriptPrompt('Document two.', turns))
    expect(await service.ended(two.id)).toMatchObject(failed)
    const three = await service.create(scriptPrompt('Document three.', turns), { questions: 'ask' })
    expect(await service.ended(three.id)).toMatchObject({ outcome: 'needs_input', summary: 'Which version?' })
    await service.database.prisma.project.update({ where: { id: service.project.id }, data: { settings: {} } })
    expect(['Document one.', 'Document two.', 'Document three.'].map(isTold)).toEqual([true, true, false])
  })

  test("uses the request's base branch, working branch and draft setting", async () => {
    await service.host.pushCommit(FULL, 'next', {
      message: 'docs: next',
      files: new Map([['next.mdx', { data: '---\ntitle: Next\n---\n\nText.\n' }]]),
    })
    const created = await service.create(scriptPrompt('Edit.', [editPage(5, 'On next.')]), {
      ref: 'next',
      branch: 'docs/by-hand',
      draft: true,
    })
    const job = await service.ended(created.id)
    expect(job).toMatchObject({
      status: 'completed',
      source: { ref: 'docs/by-hand' },
      pullRequest: { draft: true, branch: 'docs/by-hand' },
    })
    expect(service.host.pulls(FULL).find((p) => p.headRef === 'docs/by-hand')).toMatchObject({
      baseRef: 'next',
      draft: true,
    })
  })

  test('fails without overwriting anything when the branch exists or is the base branch', async () => {
    const mine = await service.host.pushCommit(FULL, 'docs/taken', {
      message: 'mine',
      files: new Map([['mine.md', { data: 'mine\n' }]]),
    })
    const taken = await service.create(scriptPrompt('Edit.', [editPage(6, 'x')]), { branch: 'docs/taken' })
    expect(await service.ended(taken.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'branch_conflict' },
      prLink: null,
    })
    expect(await service.host.git(FULL, 'rev-parse', 'docs/taken')).toBe(mine)
    const base = await service.create(scriptPrompt('Edit.', [editPage(6, 'x')]), {
      ref: 'docs/taken',
      branch: 'docs/taken',
    })
    expect(await service.ended(base.id)).toMatchObject({ status: 'failed', failure: { code: 'branch_conflict' } })
  })

  test('reuses a branch name after its pull request is closed and the branch is deleted', async () => {
    const links: (string | null)[] = []
    for (const n of [10, 11]) {
      const created = await service.create(scriptPrompt('Edit.', [editPage(n, 'By branch.')]), { branch: 'docs/auto' })
      const job = await service.ended(created.id)
      expect(job).toMatchObject({ status: 'completed', outcome: 'changed' })
      links.push(job.prLink)
      await service.host.closePull(FULL, job.pullRequest?.number ?? 0, { deleteBranch: true })
    }
    expect(new Set(links).size).toBe(2)
  })

  test('keeps secrets out of logs, commits and pull requests', async () => {
    const knownSecret = `cgd_${'c'.repeat(12)}_${'d'.repeat(38)}`
    const created = await service.create(
      scriptPrompt(`Our key is ${knownSecret}.`, [
        [{ text: `I will remember ${knownSecret}.` }, ...editPage(8, 'Changed.')],
      ]),
    )
    const job = await service.ended(created.id)
    expect(job.status).toBe('completed')
    const shown =
      service.lines.join('') +
      JSON.stringify(service.host.pulls(FULL)) +
      (await service.host.git(FULL, 'log', '--all', '--format=%B'))
    for (const secret of [knownSecret, service.host.token, service.model.key, service.config.secret])
      expect(shown).not.toContain(secret)
  })

  test('sends only valid requests to the model and the Git host', () => {
    expect(service.model.rejected()).toEqual([])
    expect(service.model.violations()).toEqual([])
    expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [], unknown: [] })
  })
})
