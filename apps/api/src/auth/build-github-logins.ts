import { saveGithubLogin } from '@corrigenda/core/accounts'
import type { ApiDeps } from '../http/deps.ts'

/** Logins that GitHub allows, including those of enterprise-managed users. */
const LOGIN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})$/

/** Stores the logins of users who sign in with GitHub or link their account. */
export function buildGithubLogins(deps: Pick<ApiDeps, 'prisma'>) {
  const found = new WeakMap<Request, { accountId: string; login: string }>()
  return {
    /** Reads the login from the user's profile. */
    read(request: Request | undefined, profile: { id?: unknown; login?: unknown }): void {
      const { id, login } = profile
      if (request === undefined || typeof login !== 'string' || !LOGIN.test(login)) return
      if (typeof id === 'number') found.set(request, { accountId: String(id), login })
    },
    /** Stores the login that was read for this request, once the account exists. */
    async save(request: Request | undefined): Promise<void> {
      const account = request && found.get(request)
      if (account) await saveGithubLogin(deps, account)
    },
  }
}
