import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { AuditEventPage } from '@corrigenda/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { startProcess } from '../test-support/start-process.ts'
import { listEnvSecrets, openInBrowser } from './run-quickstart.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-quickstart-'))
  await chmod(dir, 0o755)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('--once opens a signed-in dashboard, serves the printed link and writes a private log without secrets', async () => {
  const log = path.join(dir, '.corrigenda', 'quickstart.log')
  await mkdir(path.dirname(log))
  await writeFile(log, 'from an earlier run\n', { mode: 0o644 })
  // The secret's value is a string that the log would contain if it were not redacted.
  const opened = path.join(dir, 'opened')
  await writeFile(path.join(dir, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 })
  const desktop = { DISPLAY: ':0', PATH: `${dir}:${process.env.PATH}` }
  const settings = { SOME_API_KEY: 'worker started', PORT: '0', ...desktop }
  const running = startProcess(dir, ['quickstart', '--once', '--open'], settings)
  try {
    const found = () => readFile(opened, 'utf8').catch(() => '')
    await expect.poll(found, { interval: 20 }).toMatch(/\/jobs\/job_\w+$/)
    const { origin, pathname } = new URL(await found())
    expect(running.output()).toContain(`Dashboard ${origin} (you are signed in)`)
    const visit = await fetch(`${origin}/dashboard/api/session`)
    expect(await visit.json()).toMatchObject({
      demo: true,
      setup: 'done',
      user: { name: 'Demo owner', isAdmin: true },
    })
    const cookie = visit.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const [, , projectId, , jobId] = pathname.split('/')
    const job = await fetch(`${origin}/v2/agent/${projectId}/job/${jobId}`, { headers: { cookie } })
    expect([job.status, await job.json()]).toMatchObject([200, { id: jobId }])
    const ops = await fetch(`${origin}/dashboard/api/ops`, { headers: { cookie } })
    expect(await ops.json()).toMatchObject({ workers: [{ alive: true, model: { kind: 'rehearsal' } }] })
    const audit = await fetch(`${origin}/dashboard/api/ops/audit-events`, { headers: { cookie } })
    const { events } = (await audit.json()) as AuditEventPage
    expect(events.map(({ action, actor }) => [action, actor.type])).toEqual([
      ['job.created', 'key'],
      ['key.created', 'command_line'],
      ['project.settings_changed', 'command_line'],
      ['project.created', 'command_line'],
    ])
    await expect.poll(() => running.output(), { interval: 20 }).toMatch(/Ready in \d/)
    const link = /^Pull request: (\S+)$/m.exec(running.output())?.[1] ?? ''
    const page = await fetch(link)
    expect(page.status).toBe(200)
    // The code is the evidence for the new row.
    const [evidence = ''] = /http[^"]+\/tidewater\/tidewater\/blob\/[^"#]+/.exec(await page.text()) ?? []
    expect(await (await fetch(evidence)).text()).toContain('print each line as a JSON object')
    expect(running.output()).toMatch(/\+\| `--json` \|/)
    await expect.poll(() => running.child.exitCode).toBe(0)
  } finally {
    await running.stop()
  }
  expect((await stat(log)).mode & 0o777).toBe(0o600)
  const text = await readFile(log, 'utf8')
  expect(text).toContain('api listening')
  expect(text).toContain('[redacted]')
  expect(text).not.toContain('worker started')
})

test('reports an invalid LOG_LEVEL with the same error as the services', async () => {
  const [quickstart, api] = await Promise.all([
    runCli(dir, ['quickstart', '--once'], { LOG_LEVEL: 'loud' }),
    runCli(dir, ['api'], { LOG_LEVEL: 'loud', DATABASE_URL: 'postgresql://h/db', CORRIGENDA_SECRET: 'x'.repeat(32) }),
  ])
  expect([quickstart.code, quickstart.out]).toEqual([2, ''])
  expect(quickstart.err).toMatch(/^The configuration is invalid:\n {2}LOG_LEVEL: /)
  expect(quickstart.err).toBe(api.err)
})

test('does not open a browser without a display', () => {
  expect(openInBrowser({}, 'http://localhost:1', 'linux')).toBe(false)
})

test('finds environment secrets by variable name, including NAME_FILE', async () => {
  const file = path.join(dir, 'app-key')
  await writeFile(file, 'from a file\n')
  const secrets = {
    ANTHROPIC_API_KEY: 'a',
    GITHUB_TOKEN: 'b',
    CORRIGENDA_SECRET: 'c',
    GITHUB_APP_PRIVATE_KEY: 'd',
    DATABASE_URL: 'e',
    REDIS_URL: 'f',
  }
  const others = {
    PORT: '8080',
    PUBLIC_URL: 'https://x',
    GITHUB_TOKEN_FILE: '/nowhere',
    NODE_EXTRA_CA_CERTS_FILE: file,
  }
  expect(listEnvSecrets({ ...secrets, ...others, GITHUB_APP_PRIVATE_KEY_FILE: file }).sort()).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
    'f',
    'from a file',
  ])
})
