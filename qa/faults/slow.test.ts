import { AREAS } from './test-support/fault-row.ts'
import { runRows } from './test-support/run-rows.ts'

const slow = AREAS.flatMap((area) => area.rows).filter((row) => row.impatient)
const app = AREAS.filter(({ name }) => name === 'app-tokens').flatMap((area) => area.rows)
runRows('a slow Git host', 'redis', slow, { impatient: true })
runRows('a Git host with a GitHub App', 'redis', app, { impatient: true, app: true })
