import { APP_ROWS } from './app-rows.ts'
import type { FaultRow } from './fault-row.ts'
import { GIT_PUSH_ROWS } from './git-push-rows.ts'
import { GIT_READ_ROWS } from './git-read-rows.ts'
import { MODEL_API_ROWS } from './model-api-rows.ts'
import { MODEL_REPLY_ROWS } from './model-reply-rows.ts'
import { PULL_REQUEST_ROWS } from './pull-request-rows.ts'
import { SLOW_PULL_REQUEST_ROWS, SLOW_PUSH_ROWS, SLOW_READ_ROWS } from './slow-rows.ts'
import { SOURCE_ROWS } from './source-rows.ts'
import { UNREACHABLE_ROWS } from './unreachable-rows.ts'
import { USER_ROWS } from './user-rows.ts'

interface Area {
  readonly heading: string
  /** Markdown below the heading in docs/failures.md. */
  readonly notes: readonly string[]
  readonly rows: readonly FaultRow[]
}

/** The sections of docs/failures.md with their rows. */
export const AREAS: readonly Area[] = [
  {
    heading: 'Model API: errors',
    notes: [
      'A new conversation starts with the prompt, the changes so far and the names of the files the agent has read.',
    ],
    rows: [...MODEL_API_ROWS, ...UNREACHABLE_ROWS],
  },
  { heading: 'Model API: interrupted and unexpected replies', notes: [], rows: MODEL_REPLY_ROWS },
  { heading: 'Git host: reading the repository', notes: [], rows: [...GIT_READ_ROWS, ...SLOW_READ_ROWS] },
  {
    heading: 'Git host: reading the sources',
    notes: ['A message names the source. Hostile and damaged repositories have the outcome `source_unavailable`, too.'],
    rows: SOURCE_ROWS,
  },
  { heading: 'Git host: pushing the branch', notes: [], rows: [...GIT_PUSH_ROWS, ...SLOW_PUSH_ROWS] },
  {
    heading: 'Git host: opening the pull request',
    notes: [
      'At this point, the branch is on the host. Before Corrigenda retries the create request, it searches for an existing pull request.',
    ],
    rows: [...PULL_REQUEST_ROWS, ...USER_ROWS, ...SLOW_PULL_REQUEST_ROWS],
  },
  { heading: 'Git host: GitHub App tokens', notes: [], rows: APP_ROWS },
]

export const ALL_ROWS: readonly FaultRow[] = AREAS.flatMap(({ rows }) => rows)
