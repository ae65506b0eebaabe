import { APP_ROWS } from './app-rows.ts'
import type { FaultRow } from './fault-row.ts'
import { GIT_PUSH_ROWS } from './git-push-rows.ts'
import { GIT_READ_ROWS } from './git-read-rows.ts'
import { MODEL_API_ROWS } from './model-api-rows.ts'
import { MODEL_REPLY_ROWS } from './model-reply-rows.ts'
import { PULL_REQUEST_ROWS } from './pull-request-rows.ts'
import { SLOW_ROWS } from './slow-rows.ts'
import { UNREACHABLE_ROWS } from './unreachable-rows.ts'
import { USER_ROWS } from './user-rows.ts'

/** Every row of the suite. */
export const ALL_ROWS: readonly FaultRow[] = [
  ...MODEL_API_ROWS,
  ...MODEL_REPLY_ROWS,
  ...UNREACHABLE_ROWS,
  ...GIT_READ_ROWS,
  ...GIT_PUSH_ROWS,
  ...PULL_REQUEST_ROWS,
  ...USER_ROWS,
  ...SLOW_ROWS,
  ...APP_ROWS,
]
