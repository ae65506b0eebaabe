import { MODEL_API_ROWS } from './test-support/model-api-rows.ts'
import { MODEL_REPLY_ROWS } from './test-support/model-reply-rows.ts'
import { runRows } from './test-support/run-rows.ts'
import { UNREACHABLE_ROWS } from './test-support/unreachable-rows.ts'

runRows('model API faults', 'redis', [...MODEL_API_ROWS, ...MODEL_REPLY_ROWS])
runRows('an unreachable model API', 'redis', UNREACHABLE_ROWS, { anthropic: { baseUrl: 'http://127.0.0.1:9' } })
