import type { GuardWrite } from '../git-host.ts'

/** Builds a `fetch` with a guard around each request other than GET. */
export function buildGuardedFetch(send: typeof fetch, guard: GuardWrite): typeof fetch {
  return async (input, init) => {
    if ((init?.method ?? 'GET') === 'GET') return send(input, init)
    const opensPullRequest = new URL(String(input)).pathname.endsWith('/pulls')
    return guard({ opensPullRequest }, () => send(input, init))
  }
}
