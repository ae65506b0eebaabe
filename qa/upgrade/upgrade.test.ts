import { runProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { expect, test } from 'vitest'
import { openLoad } from '../e2e/test-support/open-load.ts'
import { openRollingServices, PROCESSES } from '../e2e/test-support/open-rolling-services.ts'
import { ensurePrevious, findReleaseTag } from './ensure-previous.ts'

/**
 * The oldest revision that can be rolled back to, until there is a release. Earlier ones cannot read
 * the fingerprint of the secret that later ones store. With ROLLBACK=0, PREVIOUS can be older.
 */
const FIRST = '6a1ecadd51'
const CLIENTS = 3

test('an upgrade and a rollback under load lose no job and fail no request', async () => {
  const previous = ensurePrevious(process.env.PREVIOUS ?? findReleaseTag() ?? FIRST)
  const services = await openRollingServices()
  const { dir, env, host, start, restart, repositoryUrl } = services
  const secrets = { CORRIGENDA_SECRET: 'c03f9a1e5b7d2468ace013579bdf8642fedcba9876543210', GITHUB_TOKEN: host.token }
  const run = async (program: string | undefined, ...args: string[]) => {
    const { code, out, err } = await runProcess(dir, [...args, '--json'], { ...env, ...secrets }, program)
    expect(code, err).toBe(0)
    return JSON.parse(out)
  }
  await run(previous.main, 'migrate')
  for (const name of PROCESSES) await start(name, secrets, previous.main)
  const add = ['project', 'create', '--name', 'Docs', '--repository', repositoryUrl]
  const { id: project } = await run(previous.main, ...add)
  const { key } = await run(previous.main, 'key', 'create', '--project', project, '--name', 'k')
  const load = openLoad(services, { project, key })
  let isLoading = true
  const repeat = async (client: number) => {
    for (let n = 0; isLoading; n += 1) await load.ended(await load.create(`${client}-${n}`))
  }
  const working = Promise.all(Array.from({ length: CLIENTS }, (_, n) => repeat(n)))
  // A rejection is handled where the load is awaited.
  working.catch(() => {})
  const counts: Record<string, number> = {}
  /** Waits until jobs have been created and have ended with the current mix of versions. */
  const stay = async (mix: string) => {
    const from = load.jobs.length
    await Promise.race([
      working,
      expect.poll(() => load.jobs.length, { timeout: 300_000 }).toBeGreaterThan(from + 2 * CLIENTS),
    ])
    counts[mix] = load.jobs.length - from
  }

  await stay('previous')
  const { applied } = await run(undefined, 'migrate')
  await stay('previous on the new schema')
  await restart(['api-1', 'worker-1'], secrets)
  await stay('both, after half of the upgrade')
  await restart(['api-2', 'worker-2'], secrets)
  await stay('new')
  if (process.env.ROLLBACK !== '0') {
    await restart(['worker-2', 'api-2'], secrets, previous.main)
    await stay('both, after half of the rollback')
    await restart(['worker-1', 'api-1'], secrets, previous.main)
    await stay('previous after the rollback')
  }
  isLoading = false
  await working

  const jobs = await Promise.all(load.jobs.map(load.read))
  expect(jobs.filter(({ status, outcome }) => status !== 'completed' || outcome !== 'changed')).toEqual([])
  for (const { id, pullRequest } of jobs) expect(load.listPulls(id), id).toEqual([pullRequest?.number])
  expect(load.failures).toEqual([])
  console.log(
    `previous ${previous.commit.slice(0, 12)}, ${applied.length} migrations, ${jobs.length} jobs, ${load.countRequests()} requests, ${load.countBroken()} broken connections; failed 0, lost 0, duplicates 0; jobs per phase: ${JSON.stringify(counts)}`,
  )
}, 1_800_000)
