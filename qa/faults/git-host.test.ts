import { AREAS } from './test-support/fault-row.ts'
import { runRows } from './test-support/run-rows.ts'

const rows = AREAS.filter(({ name }) => ['git-read', 'sources', 'git-push', 'pull-requests'].includes(name))
const patient = rows.flatMap((area) => area.rows).filter((row) => !row.impatient)
runRows('Git host faults', 'redis', patient)
