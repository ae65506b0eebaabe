import type { SetupProgress } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { setupProgressQuery } from '../../api/ops.ts'
import { projectsQuery } from '../../api/projects.ts'
import { sessionQuery } from '../../api/session.ts'
import { updateSettings } from '../../api/settings.ts'
import { Button, ExternalLink } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { useHasRole, useProject, useProjectId } from '../../shell/use-project.ts'
import { ConnectionTest, useConnectionCheck } from '../settings/connection-test.tsx'
import { Step, type StepProps } from './step.tsx'

const BADGES: Readonly<Record<SetupProgress['repository'], StepProps['badge']>> = {
  passed: { word: 'Connected', icon: 'check', tone: 'ok' },
  untested: { word: 'Not checked', icon: 'ring', tone: 'muted' },
  failed: { word: 'Not connected', icon: 'failed', tone: 'bad' },
}

/** The state of the workers' connection to the repository. */
export function RepositoryStep({ state, isNext }: { state: SetupProgress['repository']; isNext: boolean }) {
  const projectId = useProjectId()
  const project = useProject()
  const isOwner = useHasRole('owner')
  const queryClient = useQueryClient()
  const reload = useCallback(
    () => void queryClient.invalidateQueries(setupProgressQuery(projectId)),
    [queryClient, projectId],
  )
  const check = useConnectionCheck(reload)
  return (
    <Step id="repository" title="Connect the repository" badge={BADGES[state]} isNext={isNext}>
      <p>
        {project ? <ExternalLink href={project.repository}>{project.repository}</ExternalLink> : null}
        {project?.baseBranch ? ` on ${project.baseBranch}` : ''}
      </p>
      {isOwner ? (
        <>
          <DemoRepository onChange={check.start} />
          <ConnectionTest check={check} showsSources />
          <p className="muted">
            To set an access token, go to the{' '}
            <Link to="/projects/$projectId/settings" params={{ projectId }} hash="credential">
              settings
            </Link>
            .
          </p>
        </>
      ) : (
        <p className="muted">Only a project owner can connect the repository.</p>
      )}
    </Step>
  )
}

/** A button that switches the project to the demo's local sample repository. */
function DemoRepository({ onChange }: { onChange: () => void }) {
  const projectId = useProjectId()
  const project = useProject()
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const { data: projects = [] } = useQuery(projectsQuery)
  const demo = projects.map(({ repository }) => repository).find(isLocal)
  const use = useAction({
    mutationFn: (repository: string) => updateSettings(projectId, { repository, baseBranch: null }),
    onSuccess: async () => {
      onChange()
      await queryClient.invalidateQueries()
    },
  })
  if (!session?.demo || !session.user?.isAdmin || !project || !demo) return null
  if (isLocal(project.repository))
    return <p className="muted">This is the demo repository. It is local, so you can experiment freely.</p>
  return (
    <>
      <div>
        <Button busy={use.isPending} onClick={() => use.mutate(demo)}>
          Use the demo repository
        </Button>
      </div>
      {use.error ? <ErrorNote error={use.error} /> : null}
    </>
  )
}

const isLocal = (url: string) => URL.canParse(url) && /^(127\.0\.0\.1|localhost)$/.test(new URL(url).hostname)
