import { HttpError } from '../host/http-error.ts'
import { toBot, toUser } from '../host/identify.ts'
import { toAccount } from '../represent/to-account.ts'
import { ok, type RestRoutes } from './rest-route.ts'

const EPOCH = '2026-01-01T00:00:00Z'
const HOUR_SECONDS = 3600
export const RATE_LIMIT = 5000

export const accountRoutes: RestRoutes = {
  'meta.get': {
    access: 'public',
    handle: () => ok({ verifiable_password_authentication: false, installed_version: '3.19.0' }),
  },
  'rateLimit.get': {
    access: 'public',
    handle: () => {
      const rate = toRate()
      return ok({ resources: { core: rate, search: { ...rate, limit: 30, remaining: 30 } }, rate })
    },
  },
  'users.getAuthenticated': {
    access: 'account',
    handle: ({ state, principal }) => {
      if (principal.kind !== 'user') throw new HttpError(403, 'Resource not accessible by integration')
      return ok({ ...toAccount(state, principal.account), ...PROFILE, created_at: EPOCH, updated_at: EPOCH })
    },
  },
  'users.getByUsername': {
    access: 'account',
    handle: ({ state, params }) => {
      const known = [toUser(state), toBot(state)]
      const account = known.find(({ login }) => login === params.username)
      if (account === undefined) throw new HttpError(404, 'Not Found')
      return ok({ ...toAccount(state, account), ...PROFILE, created_at: EPOCH, updated_at: EPOCH })
    },
  },
}

const PROFILE = {
  name: null,
  company: null,
  blog: '',
  location: null,
  email: null,
  hireable: null,
  bio: null,
  public_repos: 0,
  public_gists: 0,
  followers: 0,
  following: 0,
}

/** The host does not enforce a rate limit. A test can simulate one with a fault. */
function toRate() {
  return {
    limit: RATE_LIMIT,
    used: 0,
    remaining: RATE_LIMIT,
    reset: Math.floor(Date.now() / 1000) + HOUR_SECONDS,
  }
}
