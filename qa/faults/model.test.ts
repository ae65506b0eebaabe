import { AREAS } from './test-support/fault-row.ts'
import { runRows } from './test-support/run-rows.ts'

const rows = AREAS.filter(({ name }) => name.startsWith('model-')).flatMap((area) => area.rows)
const down = rows.filter((row) => row.unreachable)
runRows(
  'model API faults',
  'redis',
  rows.filter((row) => !row.unreachable),
)
runRows('an unreachable model API', 'redis', down, { anthropic: { baseUrl: 'http://127.0.0.1:9' } })
