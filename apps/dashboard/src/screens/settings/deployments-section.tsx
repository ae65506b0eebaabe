import type { Deployment, DeploymentStatus } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { deploy, deploymentsQuery } from '../../api/settings.ts'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { Button, ExternalLink } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { LiveDuration, RelativeTime } from '../../components/times.tsx'
import { useAction } from '../../components/use-action.ts'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'

const BADGES: Readonly<Record<DeploymentStatus, Omit<BadgeProps, 'children'> & { word: string }>> = {
  queued: { word: 'Queued', icon: 'ring', tone: 'muted' },
  in_progress: { word: 'In progress', icon: 'turning', tone: 'accent' },
  success: { word: 'Succeeded', icon: 'check', tone: 'ok' },
  failure: { word: 'Failed', icon: 'failed', tone: 'bad' },
}

/** The documentation's recent deployments, with a button that starts a new one. */
export function DeploymentsSection({ hasTarget }: { hasTarget: boolean }) {
  const projectId = useProjectId()
  const mayDeploy = useHasRole('member')
  const { data, error, isPending, refetch } = useQuery(deploymentsQuery(projectId))
  const start = useAction({
    mutationFn: () => deploy(projectId),
    done: 'Deployment queued.',
    refetch: [deploymentsQuery(projectId)],
  })
  return (
    <Block
      title="Recent deployments"
      id="deployments"
      actions={
        mayDeploy ? (
          <Button disabled={!hasTarget} busy={start.isPending} onClick={() => start.mutate()}>
            Deploy now
          </Button>
        ) : null
      }
    >
      {start.error ? (
        <div className="block-body">
          <ErrorNote error={start.error} />
        </div>
      ) : null}
      {error ? (
        <div className="block-body">
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {isPending ? (
        <div className="block-body">
          <Loading />
        </div>
      ) : null}
      {data === undefined ? null : data.length === 0 ? (
        <p className="block-note muted">No deployments yet.</p>
      ) : (
        <ul className="stack gap-0">
          {data.map((deployment) => (
            <Row key={deployment._id} deployment={deployment} />
          ))}
        </ul>
      )}
    </Block>
  )
}

const TRIGGERS = { api: 'through the API', merge: 'after a merge', dashboard: 'from the dashboard' } as const

function Row({ deployment }: { deployment: Deployment }) {
  const { status, trigger, preview, createdAt, endedAt, summary, logs, commit, url } = deployment
  const { word, ...badge } = BADGES[status]
  return (
    <li className="settings-item stack gap-2" data-testid="deployment-row">
      <div className="spread">
        <span className="cluster">
          <Badge {...badge}>{word}</Badge>
          <span>
            <RelativeTime at={createdAt} /> {TRIGGERS[trigger]}
            {preview ? `, preview of ${preview.branch}` : ''}
          </span>
        </span>
        <span className="cluster muted">
          {commit ? <code>{commit.sha.slice(0, 7)}</code> : null}
          <LiveDuration from={createdAt} to={endedAt} />
          {url ? <ExternalLink href={url}>View workflow run</ExternalLink> : null}
          {preview && status === 'success' ? <ExternalLink href={preview.url}>Open preview</ExternalLink> : null}
        </span>
      </div>
      {summary ? <p>{summary}</p> : null}
      {logs.length > 0 ? (
        <details>
          <summary>Log</summary>
          <pre className="settings-log output">{logs.join('\n')}</pre>
        </details>
      ) : null}
    </li>
  )
}
