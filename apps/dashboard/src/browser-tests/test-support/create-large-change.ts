import type { ChangedText, FileChange } from '@corrigenda/contracts'
import { createTwoFilesPatch } from 'diff'
import { endJobWith } from './end-job-with.ts'
import type { TestDashboard } from './open-dashboard.ts'

export const FILES = 60
/** A long prompt. Its first 160 characters are the title of the page. */
export const LARGE_PROMPT = `Describe what the command shows. ${'It is a long prompt. '.repeat(30)}`

const SENTENCE =
  'The command reads the `calendar` of a station and prints the [tides](https://example.com/tides) of a day.'

/** Returns a file with many changes, whose paragraphs have different lengths, and its text. */
export function toLargeFile(n: number, word = 'shows'): { file: FileChange; text: ChangedText } {
  const before = Array.from({ length: 90 }, (_, line) => {
    if (line % 9 === 0) return `## Section ${line} of page ${n}`
    return line % 3 === 1 ? '' : `${SENTENCE.repeat(1 + ((line * n) % 4))} Line ${line}.`
  })
  const after = before.map((text, line) => (line % 6 < 3 ? text.replace('prints', `${word} ${n}`) : text))
  const path = `docs/guides/page-${n}.md`
  const count = after.filter((text, line) => text !== before[line]).length
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before.join('\n'), after.join('\n'), '', '', {
    context: 3,
  })
  return {
    file: { path, status: 'modified', additions: count, deletions: count, omitted: null, patch },
    text: { path, text: after.join('\n') },
  }
}

/**
 * Creates a job that changed 60 files. Their order in the API is that of their paths as text. Returns
 * the path of its page, and its id. Requires that no worker is running.
 */
export async function createLargeChange(dashboard: TestDashboard): Promise<{ at: string; id: string }> {
  const { id } = await dashboard.createJob(LARGE_PROMPT)
  const pages = Array.from({ length: FILES }, (_, n) => toLargeFile(n))
  const files = pages.map(({ file }) => file).sort((a, b) => (a.path < b.path ? -1 : 1))
  await endJobWith(dashboard.database, id, { files, texts: pages.map(({ text }) => text) })
  return { at: `/projects/${dashboard.projectId}/jobs/${id}`, id }
}
