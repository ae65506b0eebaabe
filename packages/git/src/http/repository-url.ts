import { GitHttpError } from './git-http-error.ts'
import type { HttpAnswer } from './send-request.ts'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Parses a repository URL. Accepts https for any host, and http only for loopback hosts. Rejects
 * URLs with credentials, a query or a fragment.
 * @throws {GitHttpError} `protocol`
 */
export function checkRepositoryUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url) throw refused('is not a valid URL')
  if (url.username || url.password) throw refused('must not contain a user name or password')
  if (url.search || url.hash) throw refused('must not contain a query or fragment')
  const plain = url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname)
  if (url.protocol !== 'https:' && !plain) throw refused('must use https')
  return url
}

/**
 * Returns the target of a redirected `info/refs` request. The target must have the same scheme,
 * host and port, so that the token is sent only to its origin and a redirect cannot send the request
 * to an internal host. Renaming a repository changes only its path.
 * @param suffix required end of the target's path and query
 * @throws {GitHttpError} `redirected`
 */
export function resolveRedirect(from: URL, response: HttpAnswer, suffix: string): URL {
  const location = response.headers.location ?? ''
  const url = URL.canParse(location, from.href) ? new URL(location, from) : null
  if (!url) throw redirected(response, 'without a valid target')
  if (url.origin !== from.origin) throw redirected(response, `to a different host, port or scheme (${url.origin})`)
  if (url.username || url.password || !url.href.endsWith(suffix))
    throw redirected(response, 'to a page that is not a repository')
  return url
}

function refused(why: string): GitHttpError {
  return new GitHttpError('protocol', `The repository URL ${why}.`)
}

function redirected(response: HttpAnswer, how: string): GitHttpError {
  return new GitHttpError('redirected', `The Git host redirected the request ${how}. Correct the repository URL.`, {
    status: response.status,
  })
}
