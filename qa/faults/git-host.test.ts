import { GIT_PUSH_ROWS } from './test-support/git-push-rows.ts'
import { GIT_READ_ROWS } from './test-support/git-read-rows.ts'
import { PULL_REQUEST_ROWS } from './test-support/pull-request-rows.ts'
import { runRows } from './test-support/run-rows.ts'
import { SOURCE_ROWS } from './test-support/source-rows.ts'
import { USER_ROWS } from './test-support/user-rows.ts'

const rows = [...GIT_READ_ROWS, ...GIT_PUSH_ROWS, ...PULL_REQUEST_ROWS, ...USER_ROWS, ...SOURCE_ROWS]
const patient = rows.filter((row) => !row.impatient)
runRows('Git host faults', 'redis', patient)
