import { ALL_ROWS } from './test-support/all-rows.ts'
import { runRows } from './test-support/run-rows.ts'

runRows(
  'faults',
  'postgres',
  ALL_ROWS.filter((row) => row.both),
)
