import { expect, test } from 'vitest'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { finishDeployment } from './record-deployment.ts'
import { claimNext, createTestDeployments } from './test-support/create-test-deployment.ts'

test('the database rejects invalid changes to a deployment', async () => {
  const database = await openOwnTestDatabase()
  const { ids } = await createTestDeployments(database, 2)
  const [id, waiting] = ids
  const claim = await claimNext(database)
  const set = (sql: string, which = id) => database.pool.query(`UPDATE deployments SET ${sql} WHERE id = $1`, [which])
  await set(`commit = '{"sha": "a"}'`)
  const refused: [string, RegExp, (string | undefined)?][] = [
    [`commit = '{"sha": "b"}'`, /commit of deployment .* is pinned/],
    [`status = 'queued', lease_until = NULL`, /has begun/],
    ['attempt = 0', /never fall/],
    [`source = 'merge'`, /never change/],
    ['seq = 999999', /never change/],
    [`preview_branch = 'b', preview_url = 'https://x.example'`, /preview of deployment .* never changes/],
    [`preview_branch = 'b'`, /never changes/],
    ['handovers = 2', /handovers_within_attempts/],
    [`status = 'success'`, /ended_has_time/],
    ['ended_at = now()', /ended_has_time/],
    [`status = 'failure', ended_at = now()`, /lease_only_while_working/],
    [`logs = '{}'`, /logs_are_a_list/],
    [`status = 'in_progress', started_at = now()`, /one_in_progress/, waiting],
    ['lease_until = now()', /lease_only_while_working/, waiting],
    [`status = 'success', ended_at = now()`, /started_has_time/, waiting],
  ]
  for (const [sql, why, which] of refused) await expect(set(sql, which), sql).rejects.toThrow(why)
  const insert = `INSERT INTO deployments (id, project_id, source, preview_branch) SELECT 'dep_p', project_id, 'api', 'b'
    FROM deployments WHERE id = $1`
  await expect(database.pool.query(insert, [id])).rejects.toThrow(/preview_has_branch_and_url/)
  await finishDeployment(database, claim!, { status: 'success', summary: 'Done.' })
  await expect(set(`summary = 'Other.'`)).rejects.toThrow(/has ended/)
})
