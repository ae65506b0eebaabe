import { GitHostError } from '../git-host/git-host-error.ts'

/** Returns the name of an error for the log. Messages may quote the host's response. */
export function toReason(error: unknown): string {
  if (error instanceof GitHostError) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
