import type { DashboardJob } from '@corrigenda/contracts'

/** What a job is called: the title of its pull request, until then the first line of its prompt. */
export function toJobTitle({ title, prompt, id }: Pick<DashboardJob, 'title' | 'prompt' | 'id'>): string {
  return title ?? (prompt.trim().split('\n', 1)[0]?.trim() || id)
}
