import { ERRORS, type ErrorCode } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { anyText } from '../contract-tests/test-support/generate-value.ts'
import { buildRandom } from '../contract-tests/test-support/random.ts'
import { makeFixtures } from '../test-support/make-fixtures.ts'
import { openUsersApi, PASSWORD } from '../test-support/open-users-api.ts'
import { anyBody, anyQuery, listDashboardRoutes } from './test-support/open-fuzz.ts'

const COUNT = Number(process.env.FUZZ ?? 40)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000)

test(`${COUNT} requests generated from the dashboard schemas receive responses that match their schemas (FUZZ, SEED)`, {
  timeout: 1_800_000,
}, async () => {
  console.log(`SEED=${SEED}`)
  const random = buildRandom(SEED)
  const github = { clientId: 'gh-client', clientSecret: 'gh-secret' }
  const quota = { limit: 1_000_000, windowSeconds: 3600 }
  const api = await openUsersApi({
    signIn: { password: true, github, oidc: null, allowedEmails: [] },
    quota,
    messageQuota: quota,
  })
  const routes = await listDashboardRoutes(api.deps)
  expect(routes.length).toBeGreaterThan(45)
  const fixtures = makeFixtures(api)
  const values = async (): Promise<Record<string, string>> => {
    await api.database.prisma.invitation.deleteMany()
    return toValues()
  }
  const toValues = async () => ({
    projectId: api.project.id,
    id: random.pick([await fixtures.makeKeyId(), (await fixtures.makeInvitation()).id]),
    jobId: await fixtures.makeJob(),
    userId: await fixtures.makeMember(),
    token: (await fixtures.makeInvitation()).token,
    provider: 'github',
  })
  const who = [{ role: 'owner' }, { isAdmin: true }, { role: 'viewer' }] as const
  const emails = ['unknown@example.com']
  const make = async (index: number) => {
    const { email, cookie } = await api.makeUser({ ...who[index % who.length], projectId: api.project.id })
    emails.push(email)
    return cookie
  }
  const usual = () => ({
    email: random.pick(emails.slice(-3)),
    password: PASSWORD,
    currentPassword: PASSWORD,
    newPassword: PASSWORD,
    // Not the name of the project, which would confirm its deletion.
    name: 'other',
    repository: 'https://github.com/acme/docs',
  })
  const cookies = [await make(0), await make(1), await make(2)]
  let known: Record<string, string> = await values()
  const problems: string[] = []
  const seen = new Map<string, Set<number>>()
  for (let n = 0; n < COUNT; n += 1) {
    const route = random.pick(routes)
    if (n % 25 === 24) known = await values()
    const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent((random.chance(0.8) ? (known[name] ?? 'none') : anyText(random) || 'x').toWellFormed()),
    )
    const body = anyBody(random, route, usual())
    const index = random.below(cookies.length)
    const cookie = random.chance(0.92) ? (cookies[index] ?? '') : ''
    const url = path + anyQuery(random, route)
    const response = await api.app.inject({
      method: route.method as 'GET',
      url,
      headers: {
        host: 'localhost:8080',
        cookie,
        ...(random.chance(0.97) && { 'sec-fetch-site': 'same-origin' }),
        ...(body !== undefined && random.chance(0.98) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: body }),
    })
    seen.set(route.name, (seen.get(route.name) ?? new Set()).add(response.statusCode))
    const problem = findProblem(response, route.responses)
    if (problem) problems.push(`${route.method} ${url} ${body}: ${problem}`)
    // A user whose session ended is replaced by a new user.
    if (cookie && response.statusCode === 401 && response.headers['x-error-code'] === 'sign_in_required') {
      cookies[index] = await make(index)
    }
  }
  if (COUNT >= 2000) console.log([...seen].map(([name, all]) => `${name}: ${[...all].sort().join(' ')}`).join('\n'))
  expect(problems).toEqual([])
})

function findProblem(
  response: Awaited<ReturnType<Awaited<ReturnType<typeof openUsersApi>>['app']['inject']>>,
  responses: Awaited<ReturnType<typeof listDashboardRoutes>>[number]['responses'],
): string | null {
  const { statusCode, headers, body } = response
  if (statusCode < 300) {
    const parsed = statusCode === 204 ? null : responses[statusCode]?.safeParse(JSON.parse(body))
    return parsed && !parsed.success ? `${statusCode} does not match the schema: ${parsed.error.message}` : null
  }
  if (statusCode < 400)
    return String(headers.location).startsWith('/') || /^https:\/\/github\.com\//.test(String(headers.location))
      ? null
      : `redirects to ${headers.location}`
  const code = String(headers['x-error-code']) as ErrorCode
  if (statusCode >= 500) return `${statusCode} ${body}`
  return ERRORS[code]?.status === statusCode && Object.keys(JSON.parse(body)).join() === 'error'
    ? null
    : `${statusCode} ${code} ${body}`
}
