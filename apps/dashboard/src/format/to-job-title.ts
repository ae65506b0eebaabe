import type { DashboardJob } from '@corrigenda/contracts'

/** Returns the pull request title, or the first line of the prompt until the title is known. */
export function toJobTitle({ title, prompt, id }: Pick<DashboardJob, 'title' | 'prompt' | 'id'>): string {
  return title ?? (prompt.trim().split('\n', 1)[0]?.trim() || id)
}
