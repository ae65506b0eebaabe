import { type AgentJob, buildCorrigenda } from '@corrigenda/client'
import { type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import { editPage, FULL } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'
import { createSourceRepository, FLAGS, pushFlags, SOURCE } from './test-support/source-repository.ts'

type Service = Awaited<ReturnType<typeof openHostedService>>

let service: Service
let commits: Awaited<ReturnType<typeof createSourceRepository>>
beforeEach(async () => {
  service = await openHostedService({}, { hasWorker: false })
  commits = await createSourceRepository(service.host)
  service.host.makePublic(SOURCE)
  const repository = service.host.repositoryUrl(SOURCE)
  await service.updateProject({ sources: [{ name: 'api', repository, ...DEFAULTS }] })
})
afterEach(() => service.close())

const DEFAULTS = { ref: null, paths: [], visibility: null, cite: null, quotable: [] }
const EVIDENCE = { page: 'page-1.mdx', source: 'api', path: FLAGS, fromLine: 4, toLine: 4, note: 'The flag' }

/** Reads the diff of the flags, documents them with evidence, and finishes. */
const turns: readonly ScriptTurn[] = [
  [{ tool: 'source_changes', input: { source: 'api' } }],
  [{ tool: 'source_changes', input: { source: 'api', path: FLAGS } }],
  editPage(1, 'The flag `json` is new.'),
  [
    {
      tool: 'finish',
      input: { outcome: 'changed', title: 'Document json', body: 'From the code.', evidence: [EVIDENCE] },
    },
  ],
]

const open = () =>
  buildCorrigenda({ baseUrl: service.url, apiKey: service.key, projectId: service.projectId, pollMs: 100 })
const run = (text: string, script = turns): Promise<AgentJob> =>
  open()
    .createJob({ prompt: scriptPrompt(text, script) })
    .wait({ timeoutMs: 170_000 })

/** Returns the text blocks of the first request of the newest job. */
function readFirstMessage(): string {
  const request = service.model.requests.find(({ body }) => Object(body).messages?.length === 1)
  return JSON.stringify(Object(request?.body).messages)
}

/** The texts that clients of the hosted API send. */
const bodies: [name: string, text: () => string, base: () => string, head: () => string][] = [
  [
    'recent pushes',
    () => `Update the documentation for our recent pushes to main:\n\nRepository: ${SOURCE}`,
    () => commits.before,
    () => commits.head,
  ],
  [
    'a comparison',
    () =>
      `The following files changed: ${FLAGS}. See ${service.host.repositoryUrl(SOURCE)}/compare/${commits.first.slice(0, 12)}...${commits.head.slice(0, 12)}. Update the documentation.`,
    () => commits.first,
    () => commits.head,
  ],
]

describe('a request of a client that sends no facts', () => {
  test.each(bodies)('%s', async (_, text, base, head) => {
    await service.startWorker()
    const job = await run(text())
    expect(job).toMatchObject({ outcome: 'changed', failure: null })
    const source = { name: 'api', repository: service.host.repositoryUrl(SOURCE), commit: head(), baseCommit: base() }
    expect(job.sources).toMatchObject([source, { name: 'docs', ref: 'main' }])
    expect(job.evidence).toEqual([{ ...EVIDENCE, commit: head() }])
    expect(readFirstMessage()).toMatch(/Recent changes of api: \d commits? since .*feat: add json \(#7\)/)
    const [pull] = service.host.pulls(FULL)
    expect(pull?.body).toContain(`${service.host.repositoryUrl(SOURCE)}/blob/${head()}/${FLAGS}#L4)`)
    expect(service.model.rejected()).toEqual([])
  })

  test('a pull request number', async () => {
    await pushFlags(service.host, 'topic', 'feat: xml', 'color', 'verbose', 'xml')
    const head = await service.host.git(SOURCE, 'rev-parse', 'topic')
    const number = await openPullRequest(service, 'topic')
    await service.startWorker()
    const job = await run(`Document the changes of pull request #${number} of our API.`)
    expect(job.sources).toMatchObject([{ name: 'api', ref: null, commit: head, baseCommit: commits.head }, {}])
    expect(job).toMatchObject({ outcome: 'changed', evidence: [{ commit: head }] })
    expect(readFirstMessage()).toMatch(/feat: xml/)
  })
})

describe('a commit of a fork', () => {
  const DESCRIBED = 'It may be from a fork'
  const shownFlags = () => service.host.pulls(FULL)[0]?.body?.replaceAll('\\', '') ?? ''
  const hide = async () => {
    const commit = await pushFlags(service.host, 'topic', 'feat: evil', 'color', 'verbose', 'evil')
    await service.host.git(SOURCE, 'update-ref', '-d', 'refs/heads/topic')
    return commit
  }

  test('is not read for a prompt, which the first message and the job state', async () => {
    const commit = await hide()
    await service.startWorker()
    const job = await run(`Document ${service.host.repositoryUrl(SOURCE)}/compare/main...${commit}.`)
    expect(job).toMatchObject({ outcome: 'changed', failure: null, evidence: [{ commit: commits.head }] })
    const note = expect.stringMatching(/^The prompt selects a commit .+ was not read\.$/)
    expect(job.sources).toMatchObject([{ name: 'api', ref: 'main', commit: commits.head, note }, { note: null }])
    expect(readFirstMessage()).toContain(DESCRIBED)
    expect(shownFlags()).toContain('Source api: The prompt selects a commit')
  })

  test('is read for a request, which the first message and the pull request state', async () => {
    const commit = await hide()
    await service.startWorker()
    const input = { prompt: scriptPrompt('Document the flag.', turns), sources: [{ name: 'api', ref: commit }] }
    const job = await open().createJob(input).wait({ timeoutMs: 170_000 })
    const note = expect.stringContaining(DESCRIBED)
    expect(job.sources).toMatchObject([{ name: 'api', ref: null, commit, note }, { note: null }])
    expect(readFirstMessage()).toContain(DESCRIBED)
    expect(shownFlags()).toContain('Source api: Read at a commit')
  })

  test('is named as the head of a pull request', async () => {
    const commit = await pushFlags(service.host, 'topic', 'feat: xml', 'color', 'verbose', 'xml')
    const number = await openPullRequest(service, 'topic')
    await service.host.moveToFork(SOURCE, number, 'mallory/api')
    await service.startWorker()
    const job = await run(`Document the changes of pull request #${number} of our API.`)
    const note = `Head of pull request ${number}, from the fork mallory/api.`
    expect(job).toMatchObject({ outcome: 'changed', sources: [{ name: 'api', commit, note }, {}] })
    expect(readFirstMessage()).toContain(note)
    expect(shownFlags()).toContain(`Source api: ${note}`)
  })
})

test('a job that did not read the source does not move the start of the recent changes', async () => {
  await service.startWorker()
  await run(bodies[0]?.[1]() ?? '')
  await pushFlags(service.host, 'main', 'feat: yaml', 'color', 'verbose', 'json', 'yaml')
  const finish = { tool: 'finish', input: { outcome: 'changed', title: 'Fix a typo', body: 'Typo.' } }
  const typo = await run('Correct the typing error on page 2.', [editPage(2, 'The flag is old.'), [finish]])
  expect(typo).toMatchObject({ outcome: 'changed', failure: null })
  const end = [{ tool: 'finish', input: { outcome: 'no_change' } }]
  const none = await run('Correct the typing error on page 3.', [end])
  expect(none).toMatchObject({ outcome: 'no_changes' })
  const [source] = (await run('Document the recent changes.', [end])).sources
  expect(source?.baseCommit).toBe(commits.head)
  const [next] = (await run('Document the recent changes.', [end])).sources
  expect(next?.baseCommit).toBe(next?.commit)
})

test('a follow-up reads what its own prompt selects', async () => {
  await service.startWorker()
  const { id } = await run(bodies[0]?.[1]() ?? '')
  await pushFlags(service.host, 'topic', 'feat: xml', 'color', 'verbose', 'xml')
  const head = await service.host.git(SOURCE, 'rev-parse', 'topic')
  const text = `Also document ${SOURCE}#${await openPullRequest(service, 'topic')}.`
  const evidence = [{ ...EVIDENCE, page: 'page-2.mdx', note: 'The flag xml' }]
  const finish = { outcome: 'changed', title: 'Document xml', body: 'From the code.', evidence }
  const script = [...turns.slice(0, 2), editPage(2, 'The flag `xml` is new.'), [{ tool: 'finish', input: finish }]]
  const job = await open().sendMessage(id, scriptPrompt(text, script)).wait({ timeoutMs: 170_000 })
  expect(job).toMatchObject({ outcome: 'changed', failure: null })
  expect(job.sources).toMatchObject([{ name: 'api', ref: null, commit: head, baseCommit: commits.head }, {}])
  expect(job.evidence).toEqual([
    { ...EVIDENCE, commit: commits.head },
    { ...evidence[0], commit: head },
  ])
})

test('a follow-up without a selection reads the pull request of the first prompt', async () => {
  await pushFlags(service.host, 'topic', 'feat: xml', 'color', 'verbose', 'xml')
  const head = await service.host.git(SOURCE, 'rev-parse', 'topic')
  const number = await openPullRequest(service, 'topic')
  await service.startWorker()
  const { id } = await run(`Document the changes of pull request #${number} of our API.`)
  const finish = { tool: 'finish', input: { outcome: 'changed', title: 'State the default', body: 'Default.' } }
  const script = [editPage(2, 'The default of `xml` is new.'), [finish]]
  const prompt = scriptPrompt('State the default of the new flag.', script)
  const job = await open().sendMessage(id, prompt).wait({ timeoutMs: 170_000 })
  expect(job).toMatchObject({ outcome: 'changed', failure: null })
  expect(job.sources).toMatchObject([{ name: 'api', ref: null, commit: head, baseCommit: commits.head }, {}])
})

test('a job fails if a source of its request was removed before it started', async () => {
  const job = open().createJob({ prompt: scriptPrompt('Update the documentation.', turns), sources: [{ name: 'api' }] })
  const { id } = await job
  await service.updateProject({ sources: [] })
  await service.startWorker()
  expect(await open().waitForJob(id, { timeoutMs: 170_000 })).toMatchObject({
    status: 'failed',
    failure: { code: 'source_unavailable', message: 'The project no longer has the source api.' },
  })
})

const DEATHS = [
  ['turn.saved', 1],
  ['turn.saved', 2],
  ['turn.saved', 3],
  ['turn.saved', 4],
  ['turn.saved', 5],
  ['turn.saved', 6],
  ['turn.saved', 7],
  ['turn.saved', 8],
  ['turn.saved', 9],
  ['run.started', 1],
  ['run.freezing', 1],
  ['run.frozen', 1],
  ['branch.pushed', 1],
  ['pull.opened', 1],
] as const

// The short form of the campaigns has every fifth of them.
describe.each(DEATHS.filter((_, n) => !process.env.QA_SHORT || n % 5 === 3))(
  'a worker that dies at %s %i',
  (point, nth) => {
    test('its successor reads the same commits and publishes the same commit', async () => {
      let seen = 0
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const died = new Promise<void>((resolve) => {
        void service.startWorker({}, async (reached) => {
          if (reached !== point) return
          seen += 1
          if (seen !== nth) return
          resolve()
          await released
        })
      })
      const job = open().createJob({ prompt: scriptPrompt(bodies[0]?.[1]() ?? '', turns) })
      const { id } = await job
      await died
      const { sources, frozen } = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: id } })
      await pushFlags(service.host, 'main', 'feat: later', 'later', 'other')
      await service.database.prisma.$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second'`
      await service.startWorker()
      const ended = await open().waitForJob(id, { timeoutMs: 170_000 })
      release()
      expect(ended).toMatchObject({ outcome: 'changed', evidence: [{ commit: commits.head }] })
      const after = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: id } })
      expect(after.sources).toEqual(sources)
      expect(sources).toMatchObject([
        { name: 'api', commit: commits.head, baseCommit: commits.before },
        { name: 'docs' },
      ])
      if (frozen !== null) expect(Object(after.frozen).commit).toBe(Object(frozen).commit)
      const branch = `corrigenda/${id}`
      expect(await service.host.git(FULL, 'rev-parse', branch)).toBe(Object(after.frozen).commit)
      expect(service.host.pulls(FULL)).toHaveLength(1)
      const reads = await service.database.prisma.sourceRead.findMany({ select: { source: true, commit: true } })
      expect(reads).toEqual([{ source: 'api', commit: commits.head }])
      expect(service.model.violations()).toEqual([])
    })
  },
)

async function openPullRequest({ host }: Service, head: string): Promise<number> {
  const response = await fetch(`${host.apiUrl}/repos/${SOURCE}/pulls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}`, 'user-agent': 'test', 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Add xml', head, base: 'main' }),
  })
  return Number(Object(await response.json()).number)
}
