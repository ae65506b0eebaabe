import { COMMON_WORD } from '../seed/build-paragraphs.ts'
import type { Operation } from './measure.ts'
import { pickJobs } from './pick-jobs.ts'
import type { Side } from './side.ts'

const base = ({ instance }: Side) => `/v2/agent/${instance.projectIds[0]}`
/** An operation that sends the same request every time. */
const get = (name: string, toRoute: (side: Side) => Promise<string> | string): Operation => ({
  name,
  async open(side) {
    const route = await toRoute(side)
    return { run: () => side.ask(route) }
  },
})
const list = (name: string, query: string) => get(name, (side) => `${base(side)}/jobs?${query}`)

const listDeliveries = (name: string, query: string) =>
  get(name, async ({ prisma, instance }) => {
    const projectId = instance.projectIds[0] ?? ''
    const { id } = await prisma.webhookEndpoint.findFirstOrThrow({ where: { projectId } })
    return `/v1/project/${projectId}/webhooks/${id}/deliveries${query}`
  })

/** The time and the id of a job after which a tenth of the project's jobs remain. */
async function findDeepJob(side: Side): Promise<{ id: string; createdAt: Date }> {
  const { prisma, instance } = side
  const where = { projectId: instance.projectIds[0] ?? '' }
  const skip = Math.floor((await prisma.job.count({ where })) * 0.1)
  return prisma.job.findFirstOrThrow({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], skip })
}

/** Creates a job, which is cancelled before the next one. */
const create = (name: string, toHeaders: (n: number) => Record<string, string>): Operation => ({
  name,
  open(side) {
    let route = ''
    return {
      async run(n) {
        const body = { prompt: `Describe the new option ${n}.` }
        const answer = await side.ask(`${base(side)}/job`, { method: 'POST', body, headers: toHeaders(n) })
        route = `${base(side)}/job/${JSON.parse(answer.body).id}`
      },
      settle: () => side.ask(`${route}/cancel`, { method: 'POST' }),
    }
  },
})

/** Requests of API clients. */
export const API_OPERATIONS: readonly Operation[] = [
  {
    name: 'poll (200)',
    async open(side) {
      const ids = await pickJobs(side, { project: 0, limit: 50 })
      return { run: (n) => side.ask(`${base(side)}/job/${ids[n % ids.length]}`) }
    },
  },
  {
    name: 'poll (304)',
    async open(side) {
      const [id] = await pickJobs(side, { project: 0, limit: 1 })
      const route = `${base(side)}/job/${id}`
      const headers = { 'if-none-match': (await side.ask(route)).headers.get('etag') ?? '' }
      return { run: () => side.ask(route, { headers }) }
    },
  },
  list('list: first page', ''),
  get('list: deep page', async (side) => {
    const { createdAt, id } = await findDeepJob(side)
    return `${base(side)}/jobs?cursor=${Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')}`
  }),
  list('list: status', 'status=failed'),
  list('list: rare status', 'status=archived'),
  list('list: outcome', 'outcome=needs_input'),
  list('list: status and outcome', 'status=archived&outcome=no_changes'),
  list('list: createdAfter', `createdAfter=${new Date(Date.now() - 86_400_000 * 2).toISOString()}`),
  get('list: createdBefore', async (side) => {
    const { createdAt } = await findDeepJob(side)
    return `${base(side)}/jobs?createdBefore=${createdAt.toISOString()}`
  }),
  get('list: createdBefore and status', async (side) => {
    const { createdAt } = await findDeepJob(side)
    return `${base(side)}/jobs?status=failed&createdBefore=${createdAt.toISOString()}`
  }),
  list('search: common word', `q=${COMMON_WORD}`),
  get('search: rare word', async (side) => {
    // The oldest job that both sides have.
    const { rows } = await side.pool.query<{ prompt: string }>(
      `SELECT prompt FROM runs WHERE project_id = $1 AND created_at > now() - interval '1 day' ORDER BY created_at LIMIT 1`,
      [side.instance.projectIds[0]],
    )
    return `${base(side)}/jobs?q=${/DOC-\d+/.exec(rows[0]?.prompt ?? '')?.[0]}`
  }),
  list('search: missing word', 'q=zyxwvut'),
  list('search: rare word and status', 'q=zyxwvut&status=failed'),
  {
    name: 'events page',
    async open(side) {
      const ids = await pickJobs(side, { project: 0, limit: 200, isRandom: true })
      return { run: (n) => side.ask(`${base(side)}/job/${ids[n % ids.length]}/events`) }
    },
  },
  {
    name: 'changes',
    async open(side) {
      const ids = await pickJobs(side, { project: 0, limit: 200, isRandom: true, where: "outcome = 'changed'" })
      return { run: (n) => side.ask(`${base(side)}/job/${ids[n % ids.length]}/changes`) }
    },
  },
  get('deployments page', ({ instance }) => `/v1/project/${instance.projectIds[0]}/updates`),
  listDeliveries('webhook deliveries page', ''),
  listDeliveries('webhook deliveries page: failed', '?status=failed'),
  create('create', () => ({})),
  create('create with an Idempotency-Key', (n) => ({ 'idempotency-key': `bench-${n}` })),
  {
    name: 'create with a limit on pull requests',
    async open(side) {
      const probe = await create('', () => ({})).open(side)
      const set = (settings: string) =>
        side.pool.query('UPDATE projects SET settings = $2 WHERE id = $1', [side.instance.projectIds[0], settings])
      return {
        ...probe,
        prepare: () => set('{"policy": {"dedupe": true, "maxOpenPullRequests": 1000}}'),
        settle: async (n) => Promise.all([probe.settle?.(n), set('{}')]),
      }
    },
  },
]
