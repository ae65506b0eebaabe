import type { DashboardJobPage } from '@corrigenda/contracts'
import { request } from '../../api/request.ts'
import { toProjectPath } from '../../api/to-project-path.ts'
import type { JobKey } from './job-queries.ts'

const PAGE = 100
/** Maximum number of pages to search. */
const MAX_PAGES = 20

/**
 * Returns the id of the job next to `jobId` in the list, which is sorted newest first. A step of 1
 * selects the next older job, and -1 the next newer one. Returns null at either end of the list, or
 * if `jobId` is not in the searched pages.
 */
export async function findNeighbour({ projectId, jobId }: JobKey, step: 1 | -1): Promise<string | null> {
  let cursor: string | null = null
  let above: string | null = null
  let isFound = false
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { cursor }) })
    const page: DashboardJobPage = await request<DashboardJobPage>(`${toProjectPath(projectId, 'jobs')}?${query}`)
    for (const { id } of page.jobs) {
      if (isFound) return id
      if (id === jobId && step === -1) return above
      isFound = id === jobId
      above = id
    }
    cursor = page.nextCursor
    if (cursor === null) return null
  }
  return null
}
