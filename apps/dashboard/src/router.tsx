import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { projectsQuery } from './api/projects.ts'
import { sessionQuery } from './api/session.ts'
import { readJobPlace } from './job/page/job-place.ts'
import { readAuditFilter } from './screens/audit-log/audit-filter.ts'
import { readJobFilter } from './screens/jobs-list/job-filter.ts'
import { toNextPath } from './shell/go-to.ts'
import { NotFoundPage, ProblemPage } from './shell/problem-page.tsx'
import { Shell } from './shell/shell.tsx'
import { findLastProject } from './shell/use-project.ts'

interface RouterContext {
  readonly queryClient: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet })

const readSession = (context: RouterContext) => context.queryClient.ensureQueryData(sessionQuery)

/** Returns the error code of a sign-in with a provider that failed. */
const readProviderError = (search: Record<string, unknown>): { error?: string } =>
  typeof search.error === 'string' ? { error: search.error } : {}

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: readProviderError,
  beforeLoad: async ({ context, search }) => {
    if ((await readSession(context)).setup === 'done') throw redirect({ to: '/sign-in', search })
  },
  component: lazyRouteComponent(() => import('./screens/sign-in/setup-screen.tsx'), 'SetupScreen'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { next?: string; error?: string } => ({
    ...(typeof search.next === 'string' ? { next: search.next } : {}),
    ...readProviderError(search),
  }),
  beforeLoad: async ({ context, search }) => {
    const session = await readSession(context)
    if (session.setup !== 'done') throw redirect({ to: '/setup', search: readProviderError(search) })
    if (session.user) throw redirect({ href: toNextPath(search.next) })
  },
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
})

const signInLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/link',
  loader: ({ context }) => readSession(context),
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-link-screen.tsx'), 'SignInLinkScreen'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/$token',
  component: lazyRouteComponent(() => import('./screens/sign-in/invitation-screen.tsx'), 'InvitationScreen'),
})

/** All other routes require a signed-in user. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await readSession(context)
    if (session.setup !== 'done') throw redirect({ to: '/setup' })
    if (!session.user) {
      const next = location.href
      throw redirect({ to: '/sign-in', search: next === '/' ? {} : { next } })
    }
  },
  component: Shell,
})

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context }) => {
    const projects = await context.queryClient.ensureQueryData(projectsQuery)
    const last = findLastProject()
    const project = projects.find(({ id }) => id === last) ?? (projects.length === 1 ? projects[0] : undefined)
    if (!project) throw redirect({ to: '/projects' })
    throw redirect({ to: '/projects/$projectId/jobs', params: { projectId: project.id } })
  },
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: readProviderError,
  component: lazyRouteComponent(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
})

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  component: lazyRouteComponent(() => import('./screens/projects/projects-screen.tsx'), 'ProjectsScreen'),
})

const ops = createRoute({
  getParentRoute: () => signedIn,
  path: '/ops',
  validateSearch: (search): { githubApp?: string } =>
    typeof search.githubApp === 'string' ? { githubApp: search.githubApp } : {},
  component: lazyRouteComponent(() => import('./screens/ops/ops-screen.tsx'), 'OpsScreen'),
})

const opsAudit = createRoute({
  getParentRoute: () => signedIn,
  path: '/ops/audit',
  validateSearch: readAuditFilter,
  component: lazyRouteComponent(
    () => import('./screens/audit-log/instance-audit-log-screen.tsx'),
    'InstanceAuditLogScreen',
  ),
})

/**
 * The pages of a project. If the user cannot access the project, a not-found page is shown instead.
 */
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  loader: async ({ context, params }) => {
    const projects = await context.queryClient.ensureQueryData(projectsQuery)
    return { isKnown: projects.some(({ id }) => id === params.projectId) }
  },
  component: function ProjectFrame() {
    return project.useLoaderData().isKnown ? <Outlet /> : <NotFoundPage />
  },
})

const projectStart = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/jobs', params })
  },
})

const setupGuide = createRoute({
  getParentRoute: () => project,
  path: '/setup-guide',
  component: lazyRouteComponent(() => import('./screens/setup-guide/setup-guide-screen.tsx'), 'SetupGuideScreen'),
})

/** The former path of the setup guide. */
const welcome = createRoute({
  getParentRoute: () => project,
  path: '/welcome',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/setup-guide', params })
  },
})

const jobsList = createRoute({
  getParentRoute: () => project,
  path: '/jobs',
  validateSearch: readJobFilter,
  component: lazyRouteComponent(() => import('./screens/jobs-list/jobs-list-screen.tsx'), 'JobsListScreen'),
})

const newJob = createRoute({
  getParentRoute: () => project,
  path: '/jobs/new',
  validateSearch: (search): { from?: string; prompt?: string } => ({
    ...(typeof search.from === 'string' ? { from: search.from } : {}),
    ...(typeof search.prompt === 'string' ? { prompt: search.prompt } : {}),
  }),
  component: lazyRouteComponent(() => import('./screens/new-job/new-job-screen.tsx'), 'NewJobScreen'),
})

const job = createRoute({
  getParentRoute: () => project,
  path: '/jobs/$jobId',
  validateSearch: readJobPlace,
  component: lazyRouteComponent(() => import('./job/page/job-screen.tsx'), 'JobScreen'),
})

const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyRouteComponent(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
})

const members = createRoute({
  getParentRoute: () => project,
  path: '/members',
  component: lazyRouteComponent(() => import('./screens/members/members-screen.tsx'), 'MembersScreen'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/settings-screen.tsx'), 'SettingsScreen'),
})

const usage = createRoute({
  getParentRoute: () => project,
  path: '/usage',
  validateSearch: (search): { days?: 90 } => (Number(search.days) === 90 ? { days: 90 } : {}),
  component: lazyRouteComponent(() => import('./screens/usage/usage-screen.tsx'), 'UsageScreen'),
})

const projectAudit = createRoute({
  getParentRoute: () => project,
  path: '/audit',
  validateSearch: readAuditFilter,
  component: lazyRouteComponent(
    () => import('./screens/audit-log/project-audit-log-screen.tsx'),
    'ProjectAuditLogScreen',
  ),
})

const inProject = project.addChildren([
  projectStart,
  setupGuide,
  welcome,
  jobsList,
  newJob,
  job,
  keys,
  members,
  settings,
  usage,
  projectAudit,
])
const routeTree = root.addChildren([
  setup,
  signIn,
  signInLink,
  invitation,
  signedIn.addChildren([start, account, projects, ops, opsAudit, inProject]),
])

export function buildRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: ProblemPage,
    defaultNotFoundComponent: () => <NotFoundPage />,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof buildRouter>
  }
}
