import type { Database } from '../../db/open-database.ts'
import { readServiceFacts } from '../read-service-facts.ts'

/** Returns the sums of `metric_counts` by their metric, label and detail, and by project on request. */
export async function readCounts(database: Pick<Database, 'pool'>, byProject = false) {
  const { counts } = await readServiceFacts(database, { byProject })
  return Object.fromEntries(
    counts.map(({ project, metric, label, detail, value }) => [
      [...(byProject ? [project] : []), metric, label, detail].filter(Boolean).join(' '),
      value,
    ]),
  )
}
