import { GitHttpError } from '../git/git-http-error.ts'
import { RepositoryError } from '../git/repository-error.ts'
import { CredentialsError } from '../github/credentials.ts'
import { GitHubError } from '../github/github-error.ts'

/** How a failure of something outside ends the work: the job fails, or it is tried again later. */
export type RunEnd =
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'later'; readonly code: string; readonly message: string; readonly afterMs: number | null }

/** Maps what the Git host did to the job's failure code, or null for an error that nobody expected (a bug). */
export function toRunEnd(error: unknown): RunEnd | null {
  if (error instanceof RepositoryError)
    return { kind: 'failed', code: `repository_${error.code}`, message: error.message }
  if (error instanceof CredentialsError) return { kind: 'failed', code: `github_${error.code}`, message: error.message }
  if (error instanceof GitHttpError || error instanceof GitHubError)
    return toHostEnd(error.code, error.message, error.retryAfterMs)
  return null
}

function toHostEnd(code: string, message: string, retryAfterMs: number | null | undefined): RunEnd {
  switch (code) {
    case 'rate_limited':
    case 'server_error':
    case 'network':
    case 'timeout':
      return { kind: 'later', code: `git_host_${code}`, message, afterMs: retryAfterMs ?? null }
    default:
      return { kind: 'failed', code: `git_host_${code}`, message }
  }
}
