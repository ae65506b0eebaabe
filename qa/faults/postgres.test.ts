import { AREAS } from './test-support/fault-row.ts'
import { runRows } from './test-support/run-rows.ts'

const rows = AREAS.flatMap((area) => area.rows).filter((row) => row.both)
runRows('faults', 'postgres', rows)
