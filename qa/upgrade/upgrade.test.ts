import { runProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { expect, test } from 'vitest'
import { openLoad } from '../e2e/test-support/open-load.ts'
import { openRollingServices, PROCESSES } from '../e2e/test-support/open-rolling-services.ts'
import { ensurePrevious, findReleaseTag } from './ensure-previous.ts'

/** The previous version until there is a release. It must have the same baseline migration. */
const FIRST = 'e2005b46'
const CLIENTS = 6

type Version = 'previous' | 'new'
const ORDERS: Version[][] =
  process.env.ROLLBACK === '0'
    ? [['previous', 'new']]
    : [
        ['previous', 'new', 'previous'],
        ['new', 'previous', 'new'],
      ]

test.each(ORDERS.map((order) => ({ order, name: order.join(', then ') })))(
  '$name: under load, no job is lost and no request fails',
  async ({ order }) => {
    const previous = ensurePrevious(process.env.PREVIOUS ?? findReleaseTag() ?? FIRST)
    const services = await openRollingServices()
    const { dir, env, host, start, restart, repositoryUrl } = services
    const secrets = { CORRIGENDA_SECRET: 'c03f9a1e5b7d2468ace013579bdf8642fedcba9876543210', GITHUB_TOKEN: host.token }
    const toProgram = (version: Version) => (version === 'previous' ? previous.main : undefined)
    const run = async (version: Version, ...args: string[]) => {
      const { code, out, err } = await runProcess(dir, [...args, '--json'], { ...env, ...secrets }, toProgram(version))
      expect(code, err).toBe(0)
      return JSON.parse(out)
    }
    const [first = 'previous', ...others] = order
    await run(first, 'migrate')
    for (const name of PROCESSES) await start(name, secrets, toProgram(first))
    const { id: project } = await run(first, 'project', 'create', '--name', 'Docs', '--repository', repositoryUrl)
    const { key } = await run(first, 'key', 'create', '--project', project, '--name', 'k')
    const load = openLoad(services, { project, key })
    let [isLoading, ended] = [true, 0]
    const repeat = async (client: number) => {
      for (let n = 0; isLoading; n += 1) {
        await load.ended(await load.create(`${client}-${n}`))
        ended += 1
      }
    }
    const working = Promise.all(Array.from({ length: CLIENTS }, (_, n) => repeat(n)))
    // A rejection is handled where the load is awaited.
    working.catch(() => {})
    const counts: Record<string, number> = {}
    const inFlight: number[] = []
    /** Waits until jobs have been created and have ended with the current mix of versions. */
    const stay = async (mix: string) => {
      const [from, before] = [load.jobs.length, ended]
      const isDone = () => load.jobs.length > from + 2 * CLIENTS && ended > before + CLIENTS
      await Promise.race([working, expect.poll(isDone, { timeout: 300_000 }).toBe(true)])
      counts[`${Object.keys(counts).length + 1} ${mix}`] = load.jobs.length - from
      inFlight.push(load.jobs.length - ended)
    }

    await stay(`all ${first}`)
    const applied: string[][] = []
    for (const next of others) {
      applied.push((await run(next, 'migrate')).applied)
      await stay(`after migrate of ${next}`)
      // The order of the processes is reversed on the way back.
      const [one, two] = next === 'new' ? (['api', 'worker'] as const) : (['worker', 'api'] as const)
      await restart([`${one}-1`, `${two}-1`], secrets, toProgram(next))
      await stay(`half ${next}`)
      await restart([`${one}-2`, `${two}-2`], secrets, toProgram(next))
      await stay(`all ${next}`)
    }
    isLoading = false
    await working

    const errors = services
      .output()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line))
    expect(load.failures, errors.join('\n')).toEqual([])
    // One after the other, because the API limits a key's requests in flight.
    const jobs: Awaited<ReturnType<typeof load.read>>[] = []
    for (const job of load.jobs) jobs.push(await load.read(job))
    const isChanged = ({ status, outcome }: (typeof jobs)[number]) => status === 'completed' && outcome === 'changed'
    expect(
      jobs.filter((job) => !isChanged(job)),
      errors.join('\n'),
    ).toEqual([])
    for (const { id, pullRequest } of jobs) expect(load.listPulls(id), id).toEqual([pullRequest?.number])
    // Only the step to the new version on a database of the previous one may have migrations to apply.
    expect(applied.slice(first === 'previous' ? 1 : 0).flat()).toEqual([])
    console.log(
      `${order.join(', ')}; previous is ${previous.commit.slice(0, 12)}, ${applied.flat().length} migrations, ${jobs.length} jobs, ${load.countRequests()} requests, ${load.countBroken()} broken connections; failed 0, lost 0, duplicates 0; jobs per phase: ${JSON.stringify(counts)}; in flight at the end of each phase: ${inFlight.join(' ')}`,
    )
  },
  1_800_000,
)
