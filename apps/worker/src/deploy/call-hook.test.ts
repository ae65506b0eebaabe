import { expect, test } from 'vitest'
import { openDeployBench, toSteps, waitFor } from './test-support/open-deploy-bench.ts'
import { type HookAnswer, serveHook } from './test-support/serve-hook.ts'

/** Deploys once to a hook with these responses. */
async function deployTo(...answers: HookAnswer[]) {
  const bench = await openDeployBench()
  const hook = await serveHook(...answers)
  await bench.deployTo({ kind: 'hook', url: hook.url })
  bench.startWorker({ allowedHookHosts: [hook.host] })
  const statusId = await bench.ask()
  return { bench, hook, statusId, ended: await bench.ended(statusId) }
}

test('calls a deploy hook once with the commit and records each step', async () => {
  const { bench, hook, statusId, ended } = await deployTo(200)
  const sha = (await bench.host.git('acme/docs', 'rev-parse', 'main')).trim()
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
    projectId: bench.project.id,
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
  expect(JSON.stringify(ended) + bench.lines.join('')).not.toContain('4711')
})

test('lists the files changed since the last successful deployment', async () => {
  const { bench, ended } = await deployTo(200)
  const files = new Map([
    ['new.md', { data: 'new\n' }],
    ['index.md', { data: '# Hello again\n' }],
  ])
  await bench.host.pushCommit('acme/docs', 'main', { files, message: 'docs: more' })
  await bench.host.pushCommit('acme/docs', 'main', { files: new Map([['new.md', null]]), message: 'docs: less' })
  await bench.host.pushCommit('acme/docs', 'main', { files: new Map([['other.md', { data: 'o\n' }]]), message: 'o' })
  const second = await bench.ended(await bench.ask())
  expect(second.commit?.sha).not.toBe(ended.commit?.sha)
  expect(second.commit?.filesChanged).toEqual({ added: ['other.md'], modified: ['index.md'], removed: [] })
  // After a history rewrite: the deployed commit is not an ancestor and may no longer exist.
  await bench.host.git('acme/docs', 'update-ref', 'refs/heads/main', String(ended.commit?.sha))
  bench.host.fault({ op: 'repos.compareCommitsWithBasehead', kind: 'status', status: 404, message: 'Not Found' })
  const third = await bench.ended(await bench.ask())
  expect(third).toMatchObject({ status: 'success', commit: { filesChanged: { added: [], modified: [], removed: [] } } })
})

const CASES: [string, HookAnswer[], { status: string; calls: number; says: RegExp }][] = [
  ['responds with 500, then 200', [500, 200], { status: 'success', calls: 2, says: /accepted the deployment \(200\)/ }],
  ['responds with 429 and 503, then 202', [429, 503, 202], { status: 'success', calls: 3, says: /\(202\)/ }],
  ['always responds with 500', [500], { status: 'failure', calls: 4, says: /responded with 500.*Calls made: 4/ }],
  ['responds with 400', [400, 200], { status: 'failure', calls: 1, says: /responded with 400: \{"said":"so"\}/ }],
  [
    'redirects',
    [(response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(), 200],
    { status: 'failure', calls: 1, says: /redirects \(307\).*Configure the final URL/ },
  ],
  [
    'closes the connection, then responds with 200',
    [(response) => response.destroy(), 200],
    { status: 'success', calls: 2, says: /accepted/ },
  ],
  [
    'repeats its own URL in the response',
    [(response) => response.writeHead(400).end('no /hooks/a-secret-path-4711 here, nor a-secret-path-4711')],
    { status: 'failure', calls: 1, says: /no \[redacted\] here, nor \[redacted\]/ },
  ],
]

test('accepts, fails or retries a deployment depending on the response of the hook', async () => {
  const bench = await openDeployBench()
  const hooks = await Promise.all(CASES.map(([, answers]) => serveHook(...answers)))
  bench.startWorker({ allowedHookHosts: hooks.map((hook) => hook.host) })
  for (const [n, [name, , due]] of CASES.entries()) {
    const hook = hooks[n]!
    await bench.deployTo({ kind: 'hook', url: hook.url })
    const ended = await bench.ended(await bench.ask())
    expect([name, ended.status, hook.calls.length]).toEqual([name, due.status, due.calls])
    expect(ended.summary, name).toMatch(due.says)
    expect(new Set(hook.calls.map((call) => call.headers['idempotency-key'])).size).toBe(1)
    expect(new Set(hook.calls.map((call) => call.headers['corrigenda-delivery'])).size).toBe(due.calls)
  }
})

test('calls a hook again after a timeout', async () => {
  const bench = await openDeployBench()
  const hook = await serveHook(() => {}, 200)
  await bench.deployTo({ kind: 'hook', url: hook.url })
  bench.startWorker({ allowedHookHosts: [hook.host], limits: { hookTimeoutMs: 3_000 } })
  expect(await bench.ended(await bench.ask())).toMatchObject({
    status: 'success',
    summary: expect.stringContaining('accepted'),
  })
  expect(hook.calls).toHaveLength(2)
})

test('redacts the decoded parts of the hook URL in the response', async () => {
  const bench = await openDeployBench()
  const hook = await serveHook((response) =>
    response.writeHead(400).end('no site "a secret/of 4712" for +tok+4713+tok+'),
  )
  await bench.deployTo({ kind: 'hook', url: `${hook.url}/a%20secret%2Fof%204712?key=%2Btok%2B4713%2Btok%2B` })
  bench.startWorker({ allowedHookHosts: [hook.host] })
  const { summary } = await bench.ended(await bench.ask())
  expect(summary).toContain('no site "[redacted]" for [redacted]')
})

test('does not call a hook at a private address that is not allowed', async () => {
  const bench = await openDeployBench()
  const hook = await serveHook(200)
  await bench.deployTo({ kind: 'hook', url: hook.url })
  bench.startWorker()
  const ended = await bench.ended(await bench.ask())
  expect([ended.status, hook.calls.length]).toEqual(['failure', 0])
  expect(ended.summary).toMatch(/could not be called/)
})

test('fails after four calls to an unreachable hook', async () => {
  const bench = await openDeployBench()
  await bench.deployTo({ kind: 'hook', url: 'http://127.0.0.1:9/hook' })
  bench.startWorker({ allowedHookHosts: ['127.0.0.1:9'] })
  const ended = await bench.ended(await bench.ask())
  expect(ended).toMatchObject({
    status: 'failure',
    summary: expect.stringMatching(/could not be reached.*Calls made: 4/),
  })
})

test('limits the total time of a deployment', async () => {
  const bench = await openDeployBench()
  const hook = await serveHook(() => {})
  await bench.deployTo({ kind: 'hook', url: hook.url })
  bench.startWorker({ allowedHookHosts: [hook.host], limits: { hookMs: 400 } })
  const ended = await bench.ended(await bench.ask())
  expect(ended).toMatchObject({ status: 'failure', summary: expect.stringMatching(/not finished within 0.4 seconds/) })
})

test('reports a missing branch, a host that is not allowed and a removed deploy target', async () => {
  const bench = await openDeployBench()
  const hook = await serveHook(200)
  const allowed = { allowedHookHosts: [hook.host] }
  await bench.deployTo({ kind: 'hook', url: hook.url })
  const project = { where: { id: bench.project.id } }
  await bench.database.prisma.project.update({ ...project, data: { baseBranch: 'gone' } })
  const ids = [await bench.ask()]
  const worker = bench.startWorker(allowed)
  expect((await bench.ended(ids[0]!)).summary).toMatch(/acme\/docs has no branch gone/)
  await worker.stop()
  await bench.database.prisma.project.update({ ...project, data: { baseBranch: null } })
  const id = await bench.ask()
  const strict = bench.startWorker({ ...allowed, allowedRepositoryHosts: ['github.com'] })
  expect((await bench.ended(id)).summary).toMatch(/not allowed/)
  await strict.stop()
  const last = await bench.ask()
  await bench.deployTo(null)
  bench.startWorker(allowed)
  expect((await bench.ended(last)).summary).toMatch(/no readable deploy target/)
  expect(hook.calls).toEqual([])
})

test('runs the deployments of a project one at a time and in order, also with several workers', async () => {
  const bench = await openDeployBench()
  const hook = await serveHook((response) => void setTimeout(() => response.end(), 30))
  await bench.deployTo({ kind: 'hook', url: hook.url })
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1) ids.push(await bench.ask())
  for (let n = 0; n < 3; n += 1) bench.startWorker({ allowedHookHosts: [hook.host] })
  const ended = await Promise.all(ids.map(bench.ended))
  expect(ended.map((one) => one.status)).toEqual(ids.map(() => 'success'))
  expect(hook.calls.map((call) => call.headers['idempotency-key'])).toEqual(ids)
  expect(hook.mostOpen()).toBe(1)
})

test('releases a deployment on shutdown so that another worker continues it at once', async () => {
  const bench = await openDeployBench()
  const hook = await serveHook(() => {}, 200)
  await bench.deployTo({ kind: 'hook', url: hook.url })
  const first = bench.startWorker({ allowedHookHosts: [hook.host] })
  const statusId = await bench.ask()
  await waitFor(
    () => hook.calls.length,
    (calls) => calls === 1,
  )
  await first.stop()
  expect(await bench.read(statusId)).toMatchObject({ status: 'in_progress' })
  bench.startWorker({ allowedHookHosts: [hook.host] })
  expect(await bench.ended(statusId)).toMatchObject({ status: 'success' })
  expect(await bench.database.prisma.deployment.findUnique({ where: { id: statusId } })).toMatchObject({
    attempt: 2,
    releases: 1,
  })
})
