import { expect, test } from 'vitest'
import { toSteps, useDeployService, waitFor } from './test-support/open-deploy-harness.ts'
import { type HookAnswer, serveHook } from './test-support/serve-hook.ts'

const openHarness = useDeployService()

/** Deploys once to a hook that returns these responses. */
async function deployTo(...answers: HookAnswer[]) {
  const harness = await openHarness()
  const hook = await serveHook(...answers)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  harness.startWorker({ allowedHookHosts: [`${harness.project.id}=${hook.host}`] })
  const statusId = await harness.ask()
  return { harness, hook, statusId, ended: await harness.ended(statusId) }
}

test('calls a deploy hook once with the commit and records each step', async () => {
  const { harness, hook, statusId, ended } = await deployTo(200)
  const sha = (await harness.host.git(harness.full, 'rev-parse', 'main')).trim()
  expect(hook.calls).toMatchObject([
    {
      method: 'POST',
      path: '/hooks/a-secret-path-4711',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': statusId,
        'corrigenda-delivery': `${statusId}.1.1`,
        'user-agent': expect.stringMatching(/^corrigenda\/\d/),
      },
    },
  ])
  expect(JSON.parse(hook.calls[0]!.body)).toEqual({
    statusId,
    projectId: harness.project.id,
    commit: { sha, ref: 'main' },
    jobId: null,
  })
  expect(ended).toMatchObject({
    status: 'success',
    summary: `The deploy hook at ${hook.host} accepted the deployment (200).`,
    url: null,
    commit: {
      sha,
      ref: 'main',
      message: 'docs: start\n\nMore.',
      filesChanged: { added: [], modified: [], removed: [] },
    },
  })
  expect(toSteps(ended)).toEqual([
    `Deploying ${sha.slice(0, 7)} of main: docs: start`,
    `Calling the deploy hook at ${hook.host} (call 1 of at most 4).`,
    ended.summary,
  ])
  expect(ended.logs[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z /)
  expect(JSON.stringify(ended) + harness.lines.join('')).not.toContain('4711')
})

test('calls the hook with the branch, its commit and its URL for a preview, which fails if the branch does not exist', async () => {
  const { harness, hook } = await deployTo(200)
  const files = new Map([['index.md', { data: '# Draft\n' }]])
  await harness.host.git(harness.full, 'branch', 'docs/Draft', 'main')
  const sha = await harness.host.pushCommit(harness.full, 'docs/Draft', { files, message: 'docs: draft' })
  const statusId = await harness.ask('docs/Draft')
  const preview = { branch: 'docs/Draft', url: 'https://docs-draft.preview.example.com/' }
  expect(await harness.ended(statusId)).toMatchObject({ status: 'success', preview, commit: { ref: 'docs/Draft' } })
  expect(JSON.parse(hook.calls.at(-1)?.body ?? '')).toEqual({
    statusId,
    projectId: harness.project.id,
    jobId: null,
    preview,
    commit: { sha, ref: 'docs/Draft' },
  })
  const calls = hook.calls.length
  expect(await harness.ended(await harness.ask('docs/none'))).toMatchObject({
    status: 'failure',
    summary: `${harness.full} has no branch docs/none. Push the branch, then request the preview again.`,
  })
  expect(hook.calls).toHaveLength(calls)
})

test('lists the files changed since the last successful deployment', async () => {
  const { harness, ended } = await deployTo(200)
  const files = new Map([
    ['new.md', { data: 'new\n' }],
    ['index.md', { data: '# Hello again\n' }],
  ])
  await harness.host.pushCommit(harness.full, 'main', { files, message: 'docs: more' })
  await harness.host.pushCommit(harness.full, 'main', { files: new Map([['new.md', null]]), message: 'docs: less' })
  await harness.host.pushCommit(harness.full, 'main', { files: new Map([['other.md', { data: 'o\n' }]]), message: 'o' })
  const second = await harness.ended(await harness.ask())
  expect(second.commit?.sha).not.toBe(ended.commit?.sha)
  expect(second.commit?.filesChanged).toEqual({ added: ['other.md'], modified: ['index.md'], removed: [] })
  // Simulates a history rewrite: the deployed commit is no longer an ancestor and may not exist.
  await harness.host.git(harness.full, 'update-ref', 'refs/heads/main', String(ended.commit?.sha))
  harness.host.fault({ op: 'repos.compareCommitsWithBasehead', kind: 'status', status: 404, message: 'Not Found' })
  const third = await harness.ended(await harness.ask())
  expect(third).toMatchObject({ status: 'success', commit: { filesChanged: { added: [], modified: [], removed: [] } } })
})

const CASES: [string, HookAnswer[], { status: string; calls: number; summary: RegExp }][] = [
  [
    'responds with 500, then 200',
    [500, 200],
    { status: 'success', calls: 2, summary: /accepted the deployment \(200\)/ },
  ],
  ['responds with 429 and 503, then 202', [429, 503, 202], { status: 'success', calls: 3, summary: /\(202\)/ }],
  ['always responds with 500', [500], { status: 'failure', calls: 4, summary: /responded with 500.*Calls made: 4/ }],
  ['responds with 400', [400, 200], { status: 'failure', calls: 1, summary: /responded with 400: \{"said":"so"\}/ }],
  [
    'redirects',
    [(response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(), 200],
    { status: 'failure', calls: 1, summary: /redirects \(307\).*Configure the final URL/ },
  ],
  [
    'closes the connection, then responds with 200',
    [(response) => response.destroy(), 200],
    { status: 'success', calls: 2, summary: /accepted/ },
  ],
  [
    'repeats its own URL in the response',
    [(response) => response.writeHead(400).end('no /hooks/a-secret-path-4711 here, nor a-secret-path-4711')],
    { status: 'failure', calls: 1, summary: /no \[redacted\] here, nor \[redacted\]/ },
  ],
]

test("succeeds, fails or repeats the call depending on the hook's response", async () => {
  const harness = await openHarness()
  const hooks = await Promise.all(CASES.map(([, answers]) => serveHook(...answers)))
  harness.startWorker({ allowedHookHosts: hooks.map((hook) => `${harness.project.id}=${hook.host}`) })
  for (const [n, [name, , due]] of CASES.entries()) {
    const hook = hooks[n]!
    await harness.deployTo({ kind: 'hook', url: hook.url })
    const ended = await harness.ended(await harness.ask())
    expect([name, ended.status, hook.calls.length]).toEqual([name, due.status, due.calls])
    expect(ended.summary, name).toMatch(due.summary)
    expect(new Set(hook.calls.map((call) => call.headers['idempotency-key'])).size).toBe(1)
    expect(new Set(hook.calls.map((call) => call.headers['corrigenda-delivery'])).size).toBe(due.calls)
  }
})

test('retries a hook after a timeout', async () => {
  const harness = await openHarness()
  const hook = await serveHook(() => {}, 200)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  harness.startWorker({ allowedHookHosts: [hook.host], limits: { hookTimeoutMs: 3_000 } })
  expect(await harness.ended(await harness.ask())).toMatchObject({
    status: 'success',
    summary: expect.stringContaining('accepted'),
  })
  expect(hook.calls).toHaveLength(2)
})

test('redacts the decoded parts of the hook URL in the response', async () => {
  const harness = await openHarness()
  const hook = await serveHook((response) =>
    response.writeHead(400).end('no site "a secret/of 4712" for +tok+4713+tok+'),
  )
  await harness.deployTo({ kind: 'hook', url: `${hook.url}/a%20secret%2Fof%204712?key=%2Btok%2B4713%2Btok%2B` })
  harness.startWorker({ allowedHookHosts: [`${harness.project.id}=${hook.host}`] })
  const { summary } = await harness.ended(await harness.ask())
  expect(summary).toContain('no site "[redacted]" for [redacted]')
})

test('does not call a hook at a private address that is not allowed', async () => {
  const harness = await openHarness()
  const hook = await serveHook(200)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  harness.startWorker()
  const ended = await harness.ended(await harness.ask())
  expect([ended.status, hook.calls.length]).toEqual(['failure', 0])
  expect(ended.summary).toMatch(/could not be called/)
})

test('fails after four calls to an unreachable hook', async () => {
  const harness = await openHarness()
  await harness.deployTo({ kind: 'hook', url: 'http://127.0.0.1:9/hook' })
  harness.startWorker({ allowedHookHosts: ['127.0.0.1:9'] })
  const ended = await harness.ended(await harness.ask())
  expect(ended).toMatchObject({
    status: 'failure',
    summary: expect.stringMatching(/could not be reached.*Calls made: 4/),
  })
})

test("limits a deployment's total time", async () => {
  const harness = await openHarness()
  const hook = await serveHook(() => {})
  await harness.deployTo({ kind: 'hook', url: hook.url })
  harness.startWorker({ allowedHookHosts: [hook.host], limits: { hookMs: 400 } })
  const ended = await harness.ended(await harness.ask())
  expect(ended).toMatchObject({
    status: 'failure',
    summary: expect.stringMatching(/did not finish within 0.4 seconds/),
  })
})

test('reports a missing branch, a host that is not allowed and a removed deploy target', async () => {
  const harness = await openHarness()
  const hook = await serveHook(200)
  const allowed = { allowedHookHosts: [hook.host] }
  await harness.deployTo({ kind: 'hook', url: hook.url })
  const project = { where: { id: harness.project.id } }
  await harness.database.prisma.project.update({ ...project, data: { baseBranch: 'gone' } })
  const ids = [await harness.ask()]
  const worker = harness.startWorker(allowed)
  expect((await harness.ended(ids[0]!)).summary).toMatch(/has no branch gone/)
  await worker.stop()
  await harness.database.prisma.project.update({ ...project, data: { baseBranch: null } })
  const id = await harness.ask()
  const strict = harness.startWorker({ ...allowed, allowedRepositoryHosts: ['github.com'] })
  expect((await harness.ended(id)).summary).toMatch(/not allowed/)
  await strict.stop()
  const last = await harness.ask()
  await harness.deployTo(null)
  harness.startWorker(allowed)
  expect((await harness.ended(last)).summary).toMatch(/no readable deploy target/)
  expect(hook.calls).toEqual([])
})

test("runs a project's deployments one at a time and in order, even with several workers", async () => {
  const harness = await openHarness()
  const hook = await serveHook((response) => void setTimeout(() => response.end(), 30))
  await harness.deployTo({ kind: 'hook', url: hook.url })
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1) ids.push(await harness.ask())
  for (let n = 0; n < 3; n += 1) harness.startWorker({ allowedHookHosts: [hook.host] })
  const ended = await Promise.all(ids.map(harness.ended))
  expect(ended.map((one) => one.status)).toEqual(ids.map(() => 'success'))
  expect(hook.calls.map((call) => call.headers['idempotency-key'])).toEqual(ids)
  expect(hook.mostOpen()).toBe(1)
})

test('releases a deployment on shutdown so that another worker continues it immediately', async () => {
  const harness = await openHarness()
  const hook = await serveHook(() => {}, 200)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  // With one slot, the worker does not poll while it works on the deployment, so it cannot reclaim
  // the deployment during the shutdown.
  const first = harness.startWorker({ allowedHookHosts: [hook.host], slots: 1 })
  const statusId = await harness.ask()
  await waitFor(
    () => hook.calls.length,
    (calls) => calls === 1,
  )
  await first.stop()
  expect(await harness.read(statusId)).toMatchObject({ status: 'in_progress' })
  harness.startWorker({ allowedHookHosts: [hook.host] })
  expect(await harness.ended(statusId)).toMatchObject({ status: 'success' })
  expect(await harness.database.prisma.deployment.findUnique({ where: { id: statusId } })).toMatchObject({
    attempt: 2,
    releases: 1,
  })
})
