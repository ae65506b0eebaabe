import { expect, test } from 'vitest'
import { runBigDelete } from './run-big-delete.ts'

test('the deletion of a project removes its rows in short statements while other projects work', async () => {
  const { figures, violations } = await runBigDelete({ jobs: 400, transcriptKb: 2, say: () => {} })
  expect(violations).toEqual([])
  expect(figures['batches of jobs']).toBeGreaterThanOrEqual(8)
})
