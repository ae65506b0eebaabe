import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadApiConfig, startApi } from '@corrigenda/api'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { checkInstance, openInstance } from '@corrigenda/core/instance'
import { createTestRun } from '@corrigenda/core/internal/test-support/create-test-run'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { recordHeartbeat, removeWorker } from '@corrigenda/core/workers'
import {
  ensurePgBouncer,
  findFreePort,
  gatewayProfile,
  type ModelScript,
  startMessagesApi,
  startPgBouncer,
  TEST_CERTIFICATE,
} from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openDatabaseCopy } from '../test-support/open-database-copy.ts'
import { runCli } from '../test-support/run-cli.ts'
import { startProcess } from '../test-support/start-process.ts'
import type { Finding } from './finding.ts'

let dir: string
let server: Awaited<ReturnType<typeof openDatabaseCopy>>
beforeAll(async () => {
  server = await openDatabaseCopy()
  dir = server.dir
})
afterAll(() => server.close())

async function runDoctor(cwd: string, env: Record<string, string> = {}) {
  const { code, out, err } = await runCli(cwd, ['doctor', '--json'], env)
  expect(err).toBe('')
  const findings: Finding[] = JSON.parse(out).findings
  const states = Object.fromEntries(findings.map(({ subject, state }) => [subject, state]))
  const text = (subject: string) => findings.find((finding) => finding.subject === subject)?.text
  return { code, findings, states, text }
}
const secret = 'the-secret-of-the-doctor-tests-0123456789'
const production = () => ({ DATABASE_URL: server.url, CORRIGENDA_SECRET: secret })
/** The server's database for administration, which is not migrated. */
const toUnmigrated = () => inject('postgresUrl').replace(/\/corrigenda$/, '/postgres')

test('passes with warnings for the demo components when serve runs without credentials', async () => {
  const folder = path.join(dir, 'serve')
  await mkdir(folder)
  const serve = startProcess(folder, ['serve'], { PORT: '0' })
  try {
    await expect.poll(() => serve.output()).toContain('worker started')
    const sample = /http:\/\/127\.0\.0\.1:\d+\/tidewater\/docs/.exec(serve.output())?.[0] ?? ''
    const created = await runCli(folder, ['project', 'create', '--name', 'x', '--repository', sample])
    expect([created.code, created.err]).toEqual([0, ''])
    const { code, states, text } = await runDoctor(folder)
    expect(states).toEqual({
      'Node.js': 'ok',
      'API settings': 'ok',
      'Worker settings': 'ok',
      Model: 'warning',
      'Git host': 'warning',
      Database: 'ok',
      Migrations: 'ok',
      Secret: 'ok',
      'Database connections': 'ok',
      [`Repository ${sample}`]: 'ok',
      Workers: 'ok',
      Queue: 'ok',
    })
    expect(text('Model')).toMatch(/serve uses the demo's rehearsal model; set ANTHROPIC_API_KEY/)
    expect(code).toBe(0)
  } finally {
    await serve.stop()
  }
})

test('reports a file of certificate authorities that Node.js ignores', async () => {
  const check = async (file: string) => {
    const { states, text } = await runDoctor(dir, { ...production(), NODE_EXTRA_CA_CERTS: path.join(dir, file) })
    return [states['Certificate authorities'], text('Certificate authorities')]
  }
  const remedy = 'Correct NODE_EXTRA_CA_CERTS. With containers, mount the file: see docs/running.md.'
  expect(await check('none.pem')).toEqual(['problem', `${dir}/none.pem cannot be read (ENOENT). ${remedy}`])
  await writeFile(path.join(dir, 'empty.pem'), TEST_CERTIFICATE.key)
  const empty = `${dir}/empty.pem contains no certificate in the PEM format. ${remedy}`
  expect(await check('empty.pem')).toEqual(['problem', empty])
  await writeFile(path.join(dir, 'ca.pem'), TEST_CERTIFICATE.cert)
  expect(await check('ca.pem')).toEqual(['ok', `${dir}/ca.pem`])
})

test('reports missing credentials as problems when DATABASE_URL is set, and still checks the database', async () => {
  const { code, states, text } = await runDoctor(dir, { ...production(), DATABASE_URL: toUnmigrated() })
  expect(code).toBe(1)
  expect(states).toMatchObject({ 'API settings': 'ok', 'Worker settings': 'problem', Database: 'ok', Queue: 'ok' })
  expect(text('Worker settings')).toMatch(/ANTHROPIC_API_KEY: is required/)
  expect(text('Migrations')).toMatch(/pending\. Run "corrigenda migrate"/)
})

test('fails if a job waits and no worker is online', async () => {
  const own = await openDatabaseCopy()
  onTestFinished(own.close)
  const env = { DATABASE_URL: own.url, CORRIGENDA_SECRET: secret }
  expect((await runDoctor(own.dir, env)).states.Workers).toBe('warning')
  await createTestRun(own.database)
  const { code, states, text } = await runDoctor(own.dir, env)
  expect([code, states.Workers]).toEqual([1, 'problem'])
  expect(text('Workers')).toBe('none online, and 1 job waits. Start a worker with "corrigenda worker".')
})

test('passes if the model completes a tool round trip, and suggests a setting if it does not', async () => {
  const modelScript: ModelScript = ({ messages }) => {
    const code = /The code: (\d+)/.exec(JSON.stringify(messages))?.[1]
    const call = { type: 'tool_use' as const, name: 'read_code', input: { part: 'docs' } }
    return { content: [code === undefined ? call : { type: 'text', text: code }] }
  }
  const api = await startMessagesApi({ modelScript, profile: gatewayProfile(['strict']) })
  onTestFinished(() => api.close())
  const env = { ...production(), ANTHROPIC_API_KEY: api.key, ANTHROPIC_BASE_URL: api.url, MODEL_AUTH: 'x-api-key' }
  const wrong = await runDoctor(dir, env)
  expect([wrong.code, wrong.states.Model]).toEqual([1, 'problem'])
  expect(wrong.text('Model')).toMatch(/It works with MODEL_STRICT=off\.$/)
  const right = await runDoctor(dir, { ...env, MODEL_STRICT: 'off' })
  expect(right.states).toMatchObject({
    Model: 'ok',
    'Model tools': 'ok',
    'Model caching': 'ok',
    'Model thinking': 'ok',
  })
  expect(right.code).toBe(0)
  expect(JSON.stringify([wrong.findings, right.findings])).not.toContain(api.key)
})

test('incomplete worker settings are a warning where only the API runs, if workers are online', async () => {
  const database = openDatabase({ url: server.url, maxConnections: 1, onError: () => {} })
  onTestFinished(database.close)
  const worker = { id: 'w', host: 'h', pid: 1, version: '0', slots: 4, busy: 0, models: [] }
  const kinds = { queue: 'postgres', modelKind: 'anthropic', modelBaseUrl: 'https://api.example.com' } as const
  expect((await runDoctor(dir, production())).code).toBe(1)
  await recordHeartbeat(database, { ...worker, ...kinds })
  const { code, states, text } = await runDoctor(dir, production())
  await removeWorker(database, 'w')
  expect([code, states['Worker settings']]).toEqual([0, 'warning'])
  expect(text('Worker settings')).toMatch(/run doctor where a worker runs\. .*ANTHROPIC_API_KEY: is required/s)
})

test('warns about a connection pooler unless DATABASE_DIRECT_URL bypasses it', async () => {
  const pooler = await startPgBouncer({ program: await ensurePgBouncer(), databaseUrl: server.url })
  onTestFinished(pooler.close)
  const pooled = { ...production(), DATABASE_URL: pooler.url }
  const subject = 'Database connections'
  const warned = await runDoctor(dir, pooled)
  expect(warned.states[subject]).toBe('warning')
  expect(warned.text(subject)).toMatch(/^DATABASE_URL leads to a connection pooler.*Set DATABASE_DIRECT_URL/)
  expect((await runDoctor(dir, { ...pooled, DATABASE_DIRECT_URL: server.url })).states[subject]).toBe('ok')
  expect((await runDoctor(dir, { ...pooled, DATABASE_DIRECT_URL: toUnmigrated() })).states[subject]).toBe('problem')
})

test('does not bind a new database to the configured secret', async () => {
  const database = openDatabase({ url: server.url, maxConnections: 2, onError: () => {} })
  try {
    const before = await runDoctor(dir, production())
    expect(before.states.Secret).toBe('ok')
    expect(before.text('Secret')).toMatch(/not bound to a secret yet/)
    expect(await database.prisma.instance.count()).toBe(0)
    await openInstance(database, { secret: 'another'.repeat(5), previousSecret: null })
    expect(await checkInstance(database, { secret: 'another'.repeat(5), previousSecret: null })).toBe('fits')
    const after = await runDoctor(dir, production())
    expect(after.states.Secret).toBe('problem')
    expect(after.text('Secret')).toMatch(/CORRIGENDA_SECRET differs from the secret/)
  } finally {
    await database.close()
  }
})

test('doctor and the API warn about restricted keys behind an untrusted proxy, and about a weak secret', async () => {
  const database = openDatabase({ url: server.url, maxConnections: 2, onError: () => {} })
  onTestFinished(database.close)
  const { id: projectId } = await createProject(
    { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: ['127.0.0.1:1'] },
    { name: 'p', repository: 'http://127.0.0.1:1/a/b', baseBranch: null },
  )
  const input = {
    projectId,
    name: 'k',
    scopes: ['jobs:read' as const],
    allowedCidrs: ['203.0.113.0/24'],
    expiresInDays: null,
  }
  await createKey({ audit: COMMAND_LINE, prisma: database.prisma, keyPepper: Buffer.alloc(32) }, input)
  const env = { ...production(), PUBLIC_URL: 'https://docs.example.com' }
  const before = await runDoctor(dir, env)
  expect(before.states['API keys']).toBe('warning')
  expect(before.text('API keys')).toMatch(/restricted to IP addresses, but TRUST_PROXY is not set/)
  expect((await runDoctor(dir, { ...env, TRUST_PROXY: '1' })).states).not.toHaveProperty('API keys')
  // The secret of an earlier test.
  const lines: string[] = []
  const log = openLog({ level: 'warn', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const api = await startApi(
    loadApiConfig({ ...env, HOST: '127.0.0.1', CORRIGENDA_SECRET: 'another'.repeat(5), PORT: '0' }),
    log,
  )
  await api.close()
  expect(lines.join('')).toContain('but TRUST_PROXY is not set')
  expect(lines.join('')).toContain('CORRIGENDA_SECRET is not random enough')
  await database.prisma.project.delete({ where: { id: projectId } })
})

test('reports an unreachable database as one finding with its address but not its password', async () => {
  const port = await findFreePort()
  const { code, findings, text } = await runDoctor(dir, {
    DATABASE_URL: `postgresql://u:hunter2hunter2@127.0.0.1:${port}/db`,
    CORRIGENDA_SECRET: secret,
    GITHUB_TOKEN: 'ghp_x',
  })
  expect(code).toBe(1)
  expect(text('Database')).toMatch(new RegExp(`^The database is unreachable at 127.0.0.1:${port}\\. Check`))
  expect(findings.map((finding) => finding.subject)).toEqual([
    'Node.js',
    'API settings',
    'Worker settings',
    'Database',
    'Queue',
  ])
  expect(JSON.stringify(findings)).not.toContain('hunter2')
})
