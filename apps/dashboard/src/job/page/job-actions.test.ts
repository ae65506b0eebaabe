import type { AgentJob } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { toJobMarkdown } from './job-actions.tsx'

const job = {
  id: 'job_1',
  status: 'completed',
  phase: null,
  outcome: 'changed',
  failure: null,
  summary: '**Done.**',
  pullRequest: { number: 7, url: 'https://example.com/pull/7', branch: 'b', state: 'open', draft: false, checks: null },
} as AgentJob

test('a job as Markdown has its prompt, status, pull request and summary', () => {
  expect(toJobMarkdown(job, 'Fix it.\n\nAll of it.\n', 'https://c.example/job_1')).toBe(`> Fix it.
>
> All of it.

- Job: [job_1](https://c.example/job_1)
- Status: Needs review
- Pull request: [#7](https://example.com/pull/7) (open)

**Done.**
`)
})

test('a failed job as Markdown has the reason', () => {
  const failed = {
    ...job,
    status: 'failed',
    outcome: 'failed',
    pullRequest: null,
    summary: null,
    failure: { code: 'impossible', message: 'No such page.' },
  } as AgentJob
  expect(toJobMarkdown(failed, 'Fix it.', 'x')).toBe(`> Fix it.

- Job: [job_1](x)
- Status: Failed

No such page. (\`impossible\`)
`)
})
