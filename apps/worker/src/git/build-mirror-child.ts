import { type BuildInput, buildMirror } from './build-mirror.ts'
import { GitHttpError } from './git-http-error.ts'
import { RepositoryError } from './repository-error.ts'

/** What the child answers: it only ever sends one. */
export type BuildAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly kind: 'http' | 'repository' | 'other'
      readonly code: string
      readonly message: string
      readonly status: number | null
      readonly retryAfterMs: number | null
    }

// The one message holds the token: arguments and environment can be read by others, a pipe cannot.
process.once('message', async (input: BuildInput) => {
  const answer = await buildMirror(input).then(() => ({ ok: true }) as const, toAnswer)
  process.send?.(answer, () => process.exit(0))
})
process.once('disconnect', () => process.exit(1))

function toAnswer(error: unknown): BuildAnswer {
  const none = { status: null, retryAfterMs: null }
  if (error instanceof GitHttpError) {
    const { code, message, status, retryAfterMs } = error
    return { ok: false, kind: 'http', code, message, status, retryAfterMs }
  }
  if (error instanceof RepositoryError) {
    return { ok: false, kind: 'repository', code: error.code, message: error.message, ...none }
  }
  return { ok: false, kind: 'other', code: 'build_failed', message: 'The copy could not be built.', ...none }
}
