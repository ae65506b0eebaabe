import { APP_ROWS } from './test-support/app-rows.ts'
import { PULL_REQUEST_ROWS } from './test-support/pull-request-rows.ts'
import { runRows } from './test-support/run-rows.ts'
import { SLOW_PULL_REQUEST_ROWS, SLOW_PUSH_ROWS, SLOW_READ_ROWS } from './test-support/slow-rows.ts'

const outages = PULL_REQUEST_ROWS.filter((row) => row.impatient)
const slow = [...SLOW_READ_ROWS, ...SLOW_PUSH_ROWS, ...SLOW_PULL_REQUEST_ROWS]
runRows('a slow Git host', 'redis', [...slow, ...outages], { impatient: true })
runRows('a Git host with a GitHub App', 'redis', APP_ROWS, { impatient: true, app: true })
