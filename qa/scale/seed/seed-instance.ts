import { randomBytes } from 'node:crypto'
import { loadApiConfig, type RunningApi, startApi } from '@corrigenda/api'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { type Database, openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { createWebhook } from '@corrigenda/core/webhooks'

/** A seeded service, before it has jobs. */
export interface Instance {
  readonly secret: string
  /** Session cookies. The viewer can read only the first projects. */
  readonly adminCookie: string
  readonly viewerCookie: string
  /** The first projects have most of the jobs. */
  readonly projectIds: readonly string[]
  /** Key of the first project. */
  readonly key: string
}

const PASSWORD = 'correct horse battery'
/** Every n-th project has a webhook. */
const WEBHOOK_EVERY = 5
const VIEWED_PROJECTS = 10
const USERS = 50

export const toApiEnv = (databaseUrl: string, secret: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  CORRIGENDA_SECRET: secret,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
  JOB_RATE_LIMIT: '100000',
  MESSAGE_RATE_LIMIT: '100000',
  EDGE_RATE_LIMIT: '10000000',
})

export const SILENT = openLog({ level: 'silent', secrets: [] })

/** Sends a request as the dashboard does. */
export const askDashboard = (
  url: string,
  route: string,
  options: { cookie?: string; method?: string; body?: unknown } = {},
) =>
  fetch(`${url}/dashboard/api${route}`, {
    method: options.method ?? 'GET',
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })

/** Creates accounts, projects, a key, webhooks and this month's spend in a migrated database. */
export async function seedInstance(url: string, projects: number): Promise<Instance> {
  const secret = randomBytes(32).toString('hex')
  const database = openDatabase({ url, maxConnections: 4, onError: () => {} })
  const api = await startApi(loadApiConfig(toApiEnv(url, secret)), SILENT)
  try {
    const { keyPepper, webhookKey } = deriveSecrets(secret)
    const projectIds: string[] = []
    for (let n = 0; n < projects; n += 1) {
      const input = { name: `Project ${n}`, repository: `https://github.com/acme/docs-${n}`, baseBranch: null }
      const { id } = await createProject(
        { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: ['github.com'] },
        input,
      )
      projectIds.push(id)
      if (n % WEBHOOK_EVERY !== 0) continue
      const hook = { projectId: id, url: 'https://hooks.example.com/', events: [], description: '' }
      await createWebhook(
        { audit: COMMAND_LINE, ...database, webhookKey, allowedHookHosts: ['hooks.example.com'] },
        hook,
      )
    }
    const { key } = await createKey(
      { audit: COMMAND_LINE, ...database, keyPepper },
      {
        projectId: projectIds[0] ?? '',
        name: 'bench',
        scopes: ['jobs:read', 'jobs:write', 'webhooks:write'],
        expiresInDays: null,
      },
    )
    const cookies = await signIn(api, database)
    await insertPeople(database, projectIds)
    return { secret, ...cookies, projectIds, key }
  } finally {
    await api.close()
    await database.close()
  }
}

async function signIn({ url }: RunningApi, { prisma, pool }: Database) {
  const account = (name: string) => ({ name, email: `${name}@example.com`, password: PASSWORD })
  const toCookie = (response: Response): string => {
    const cookie = response.headers.getSetCookie().find((one) => one.includes('session='))
    if (!cookie) throw new Error(`The sign-in failed with ${response.status}.`)
    return cookie.split(';')[0] ?? ''
  }
  const adminCookie = toCookie(await askDashboard(url, '/setup', { method: 'POST', body: account('admin') }))
  await prisma.user.create({ data: { id: 'usr_viewer', name: 'viewer', email: 'viewer@example.com' } })
  await pool.query(`INSERT INTO accounts (id, user_id, account_id, provider_id, password)
    SELECT 'acc_viewer', 'usr_viewer', 'usr_viewer', provider_id, password FROM accounts`)
  const viewerCookie = toCookie(await askDashboard(url, '/sign-in', { method: 'POST', body: account('viewer') }))
  return { adminCookie, viewerCookie }
}

async function insertPeople({ pool }: Database, projectIds: readonly string[]): Promise<void> {
  await pool.query(
    `INSERT INTO memberships (project_id, user_id, role) SELECT id, 'usr_viewer', 'viewer' FROM unnest($1::text[]) id`,
    [projectIds.slice(0, VIEWED_PROJECTS)],
  )
  await insertUsers(pool, { projectIds, first: 0, count: USERS })
  await pool.query(
    `INSERT INTO project_spend (project_id, month, cost_usd)
     SELECT id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 10 FROM projects`,
  )
}

/** Adds users with three memberships and four sessions each. */
export async function insertUsers(
  pool: Database['pool'],
  input: { projectIds: readonly string[]; first: number; count: number },
): Promise<void> {
  const numbers = [input.first, input.first + input.count - 1]
  await pool.query(
    `INSERT INTO users (id, name, email) SELECT 'usr_' || n, 'User ' || n, 'user-' || n || '@example.com'
     FROM generate_series($1::int, $2::int) n`,
    numbers,
  )
  await pool.query(
    `INSERT INTO sessions (id, user_id, token, expires_at)
     SELECT 'ses_' || n || '_' || s, 'usr_' || n, md5(n || ' ' || s), now() + interval '7 days'
     FROM generate_series($1::int, $2::int) n, generate_series(1, 4) s`,
    numbers,
  )
  await pool.query(
    `INSERT INTO memberships (project_id, user_id, role)
     SELECT ($3::text[])[1 + (n * 7 + m) % cardinality($3::text[])], 'usr_' || n, 'member'
     FROM generate_series($1::int, $2::int) n, generate_series(1, 3) m ON CONFLICT DO NOTHING`,
    [...numbers, input.projectIds],
  )
}
