import type { AgentJob } from '@corrigenda/contracts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ExternalLink } from '../../components/external-link.tsx'
import type { IconName } from '../../components/icon.tsx'

type PullRequest = NonNullable<AgentJob['pullRequest']>
type State = { label: string; icon: IconName; tone: BadgeTone }

const STATES: Readonly<Record<PullRequest['state'], State>> = {
  open: { label: 'Open', icon: 'branch', tone: 'ok' },
  merged: { label: 'Merged', icon: 'check', tone: 'accent' },
  closed: { label: 'Closed', icon: 'slash', tone: 'muted' },
}
const CHECKS: Readonly<Record<NonNullable<PullRequest['checks']>, State>> = {
  pending: { label: 'Checks running', icon: 'ring', tone: 'muted' },
  passed: { label: 'Checks passed', icon: 'check', tone: 'ok' },
  failed: { label: 'Checks failed', icon: 'failed', tone: 'bad' },
}
const DEPLOYMENTS: Readonly<Record<NonNullable<AgentJob['deployment']>['status'], State>> = {
  queued: { label: 'Deployment queued', icon: 'ring', tone: 'muted' },
  in_progress: { label: 'Deploying', icon: 'turning', tone: 'accent' },
  success: { label: 'Deployed', icon: 'check', tone: 'ok' },
  failure: { label: 'Deployment failed', icon: 'failed', tone: 'bad' },
}

/**
 * The job's pull request, with its state, checks and deployment, and a button that copies its URL.
 */
export function PullRequestCard({ job }: { job: AgentJob }) {
  const { pullRequest, deployment } = job
  if (!pullRequest) return null
  const { number, url, state, draft, checks } = pullRequest
  return (
    <section className="pull-request spread top gap-3 panel" aria-label="Pull request" data-testid="pull-request">
      <div className="pull-request-words stack gap-1">
        <p className="pull-request-title">
          <ExternalLink href={url}>
            #{number} {job.title}
          </ExternalLink>
        </p>
        <p className="cluster">
          <StateBadge
            state={draft && state === 'open' ? { ...STATES.open, label: 'Draft', tone: 'muted' } : STATES[state]}
          />
          {checks ? <StateBadge state={CHECKS[checks]} /> : null}
          {deployment ? <StateBadge state={DEPLOYMENTS[deployment.status]} /> : null}
          {deployment?.url ? <ExternalLink href={deployment.url}>View workflow run</ExternalLink> : null}
        </p>
      </div>
      <CopyButton text={url} label="Copy link" variant="quiet" />
    </section>
  )
}

function StateBadge({ state: { label, ...rest } }: { state: State }) {
  return <Badge {...rest}>{label}</Badge>
}
