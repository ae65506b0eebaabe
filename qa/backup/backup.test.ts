import { rm } from 'node:fs/promises'
import path from 'node:path'
import { runProcess } from '@corrigenda/cli/internal/test-support/start-process'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openLoad } from '../e2e/test-support/open-load.ts'
import { openRollingServices, PROCESSES } from '../e2e/test-support/open-rolling-services.ts'

const JOBS = Number(process.env.JOBS ?? 40)
const LATER = 5
const WAIT = { timeout: 400_000, interval: 100 }

test('jobs that were active in a backup finish with one pull request each after a restore', async () => {
  const services = await openRollingServices()
  const { dir, env, host, start, cli, databaseUrl, repositoryUrl } = services
  const secrets = { CORRIGENDA_SECRET: 'a-secret-for-the-drill-of-backups-0123456789', GITHUB_TOKEN: host.token }
  const run = async (...args: string[]) => {
    const result = await runProcess(dir, args, { ...env, ...secrets })
    expect(result.code, result.err).toBe(0)
    return JSON.parse(result.out)
  }
  await run('migrate', '--json')
  for (const name of PROCESSES) await start(name, secrets)
  const { id: project } = await cli(secrets, 'project', 'create', '--name', 'Docs', '--repository', repositoryUrl)
  const { key } = await cli(secrets, 'key', 'create', '--project', project, '--name', 'k')
  const load = openLoad(services, { project, key })
  const countPulls = (ids: readonly string[]) => ids.filter((id) => load.listPulls(id).length > 0).length

  await Promise.all(Array.from({ length: JOBS }, (_, n) => load.create(`job-${n}`)))
  const known = [...load.jobs]
  await vi.waitFor(() => expect(countPulls(known)).toBeGreaterThan(JOBS / 5), WAIT)
  const before = countPulls(known)
  const backup = await run('backup', 'drill.backup', '--json')
  const atBackup = countPulls(known)
  // The lost time: other jobs, and branches and pull requests that the backup does not contain.
  const lost = await Promise.all(Array.from({ length: LATER }, (_, n) => load.create(`lost-${n}`)))
  await vi.waitFor(() => expect(countPulls(known)).toBeGreaterThanOrEqual(Math.min(atBackup + JOBS / 4, JOBS)), WAIT)
  await services.kill()
  const atEnd = countPulls(known)
  const branches = await host.git(
    'acme/docs',
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/heads/corrigenda',
  )

  const admin = new pg.Client({ connectionString: databaseUrl.replace(/\/corrigenda$/, '/postgres') })
  await admin.connect()
  await admin.query('DROP DATABASE corrigenda WITH (FORCE)')
  await admin.query('CREATE DATABASE corrigenda')
  await admin.end()
  await rm(path.join(dir, 'cache'), { recursive: true, force: true })
  const restored = await run('restore', 'drill.backup', '--json')
  expect(restored.rows).toBe(backup.rows)
  for (const name of PROCESSES) await start(name, secrets)
  for (const id of known) await load.ended(id)

  const jobs = await Promise.all(known.map(load.read))
  expect(jobs.filter(({ status, outcome }) => status !== 'completed' || outcome !== 'changed')).toEqual([])
  for (const { id, pullRequest } of jobs) expect(load.listPulls(id), id).toEqual([pullRequest?.number])
  for (const id of lost) expect(load.listPulls(id).length).toBeLessThanOrEqual(1)
  // Nothing that was on a branch before the restore was overwritten.
  const after = await host.git(
    'acme/docs',
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/heads/corrigenda',
  )
  expect(branches.split('\n').filter((line) => line !== '' && !after.split('\n').includes(line))).toEqual([])
  expect(load.failures).toEqual([])
  const adopted = services.output().split('the job keeps it').length - 1
  console.log(
    `${JOBS} jobs, ${JOBS - atBackup} active in the backup (${before} ended before it), ${atEnd - atBackup} pull requests opened after it, ${adopted} kept; failed 0, lost 0, duplicates 0; ${backup.rows} rows`,
  )
  expect(atEnd).toBeGreaterThan(atBackup)
  expect(adopted).toBeGreaterThan(0)
}, 900_000)
