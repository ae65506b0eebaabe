import { readFileSync } from 'node:fs'
import { CreateAgentJobRequest, JOB_EVENT_TYPES, JobOutcome, WebhookEventType } from '@corrigenda/contracts'
import { expect, test } from 'vitest'

const read = (file: string): string => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

test('docs/webhooks.md has a row for every event type', () => {
  const text = read('docs/webhooks.md')
  expect(WebhookEventType.options.filter((type) => !text.includes(`\n| \`${type}\``))).toEqual([])
})

test('docs/events.md has a row for every type of job event, and for no other', () => {
  const rows = [...read('docs/events.md').matchAll(/^\| `([\w.]+)` +\|/gm)].map(([, type]) => type)
  expect(rows).toEqual(Object.keys(JOB_EVENT_TYPES))
})

test('docs/jobs.md describes every field of a new job', () => {
  const request = /^## Request$([\s\S]*?)^## /m.exec(read('docs/jobs.md'))?.[1]
  const fields = Object.keys(CreateAgentJobRequest.shape)
  expect(fields.filter((field) => request?.includes(`\n- \`${field}\`:`) !== true)).toEqual([])
})

test('docs/jobs.md and action.yml list every outcome', () => {
  const lists = [/^- `outcome`: (.*)$/m.exec(read('docs/jobs.md')), /^ {2}outcome:\n(.*)$/m.exec(read('action.yml'))]
  for (const list of lists) expect(JobOutcome.options.filter((outcome) => !list?.[1]?.includes(outcome))).toEqual([])
})
