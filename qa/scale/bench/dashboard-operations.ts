import type { Operation } from './measure.ts'
import { pickJobs } from './pick-jobs.ts'
import type { Side } from './side.ts'

const view = (name: string, toRoute: (projectId: string) => string, as: 'admin' | 'viewer' = 'viewer'): Operation => ({
  name,
  open(side) {
    const { instance } = side
    const cookie = as === 'admin' ? instance.adminCookie : instance.viewerCookie
    return { run: () => side.askAs(cookie, `/dashboard/api${toRoute(`/projects/${instance.projectIds[0]}`)}`) }
  },
})

const viewJob = (name: string, page: string): Operation => ({
  name,
  async open(side: Side) {
    const { instance } = side
    const ids = await pickJobs(side, { project: 0, limit: 200, isRandom: true })
    const toRoute = (n: number) =>
      `/dashboard/api/projects/${instance.projectIds[0]}/jobs/${ids[n % ids.length]}${page}`
    return { run: (n) => side.askAs(instance.viewerCookie, toRoute(n)) }
  },
})

/** Requests of the dashboard's pages. */
export const DASHBOARD_OPERATIONS: readonly Operation[] = [
  view('dashboard: job list', (project) => `${project}/jobs`),
  view('dashboard: job list, one state', (project) => `${project}/jobs?status=needs_input`),
  view('dashboard: job list, several states', (project) => `${project}/jobs?status=queued,needs_input,cancelled`),
  view('dashboard: job list, search', (project) => `${project}/jobs?q=zyxwvut`),
  viewJob('dashboard: job', ''),
  viewJob('dashboard: transcript', '/transcript'),
  view('dashboard: settings', (project) => `${project}/settings`, 'admin'),
  view('dashboard: setup guide', (project) => `${project}/welcome`),
  view('dashboard: members', (project) => `${project}/members`, 'admin'),
  view('dashboard: keys', (project) => `${project}/keys`, 'admin'),
  view('dashboard: audit log', (project) => `${project}/audit-events`, 'admin'),
  view('dashboard: audit log, one action', (project) => `${project}/audit-events?action=job.created`, 'admin'),
  view('instance audit log', () => '/ops/audit-events', 'admin'),
  view('project list, viewer', () => '/projects'),
  view('project list, admin', () => '/projects', 'admin'),
  view('operations page', () => '/ops', 'admin'),
]
