import type { DashboardJob } from '@corrigenda/contracts'

/**
 * Returns the title of the pull request, or the first line of the prompt if there is no title yet.
 */
export function toJobTitle({ title, prompt, id }: Pick<DashboardJob, 'title' | 'prompt' | 'id'>): string {
  return title ?? (prompt.trim().split('\n', 1)[0]?.trim() || id)
}
