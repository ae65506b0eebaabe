import { runProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { expect } from 'vitest'
import { openLoad } from '../../e2e/test-support/open-load.ts'
import type { openRollingServices } from '../../e2e/test-support/open-rolling-services.ts'
import { type Call, openStream } from './open-stream.ts'

type Services = Awaited<ReturnType<typeof openRollingServices>>
type Env = Readonly<Record<string, string>>

const WAIT = { timeout: 200_000, interval: 100 }

/** Settings of every topology. */
export const toEnv = ({ host }: Services, env: Env = {}): Env => ({
  CORRIGENDA_SECRET: 'c03f9a1e5b7d2468ace013579bdf8642fedcba9876543210',
  GITHUB_TOKEN: host.token,
  ...env,
})

/** Runs a command of the built CLI as a process, and returns its output. */
export async function runCommand({ dir, env }: Services, own: Env, ...args: string[]) {
  const { code, out, err } = await runProcess(dir, args, { ...env, ...own })
  return { code, text: `${out}${err}` }
}

/**
 * Creates a project and a key, and returns what creates jobs and checks them. A job is accepted if
 * its events arrive, it changes the page, and it has exactly one pull request.
 * @param own settings of the topology
 * @param url address of the API for event streams
 */
export async function openAcceptance(services: Services, own: Env, url: string, call: Call = {}) {
  const { cli, repositoryUrl } = services
  const { id: project } = await cli(own, 'project', 'create', '--name', 'Docs', '--repository', repositoryUrl)
  const { key } = await cli(own, 'key', 'create', '--project', project, '--name', 'k')
  const load = openLoad(services, { project, key })
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...call.headers }
  const watch = (id: string) => openStream(`${url}/v2/agent/${project}/job/${id}/events?after=0`, { ...call, headers })
  /** Checks all jobs so far, and returns their number. */
  const check = async () => {
    for (const id of load.jobs) await load.ended(id)
    const jobs = await Promise.all(load.jobs.map(load.read))
    expect(jobs.filter(({ status, outcome }) => status !== 'completed' || outcome !== 'changed')).toEqual([])
    for (const { id, pullRequest } of jobs) expect(load.listPulls(id), id).toEqual([pullRequest?.number])
    expect(load.failures).toEqual([])
    return jobs.length
  }
  return {
    load,
    project,
    key,
    watch,
    check,
    async accept(names: readonly string[]) {
      for (const name of names) {
        const id = await load.create(name)
        const { text, ended } = await watch(id)
        await load.ended(id)
        await ended
        expect(text().match(/^event: job\.(completed|failed)$/gm)).toEqual(['event: job.completed'])
      }
      await check()
    },
    wait: (read: () => Promise<unknown>) => expect.poll(read, WAIT),
  }
}
