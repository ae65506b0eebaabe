import type { AgentJob } from '@corrigenda/contracts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import type { IconName } from '../../components/icon.tsx'

type Check = AgentJob['checks'][number]

const STATUSES: Readonly<Record<Check['status'], { label: string; icon: IconName; tone: BadgeTone; hint: string }>> = {
  passed: { label: 'Passed', icon: 'check', tone: 'ok', hint: 'No new issues.' },
  failed: { label: 'Failed', icon: 'failed', tone: 'bad', hint: 'The change introduced new issues.' },
  skipped: { label: 'Skipped', icon: 'dash', tone: 'muted', hint: 'This check did not run.' },
}

/** The checks that ran on the change, and the issues they found. */
export function ChecksTab({ job }: { job: AgentJob }) {
  if (job.checks.length === 0) {
    return job.status === 'active' ? (
      <EmptyState title="No checks yet">
        <p>Results will appear here when the agent finishes editing.</p>
      </EmptyState>
    ) : (
      <EmptyState title="No checks">
        <p>The job ended without checking any changes.</p>
      </EmptyState>
    )
  }
  return (
    <ul className="stack gap-3">
      {job.checks.map((check) => (
        <li key={check.name} className="check panel">
          <CheckView check={check} />
        </li>
      ))}
    </ul>
  )
}

function CheckView({ check }: { check: Check }) {
  const { label, ...badge } = STATUSES[check.status]
  return (
    <>
      <div className="cluster gap-3">
        <h3>{check.name}</h3>
        <Badge {...badge}>{label}</Badge>
        <p className="muted">
          New issues: {check.introduced} · Existing issues: {check.preexisting}
          {check.fixed === undefined ? null : ` · Fixed issues: ${check.fixed}`}
        </p>
      </div>
      {check.note === undefined ? null : <p className="muted">{check.note}</p>}
      {check.findings.length === 0 ? null : (
        <ul className="check-findings findings">
          {check.findings.map((finding) => (
            <li key={`${finding.file} ${finding.line} ${finding.message}`}>
              <code>{finding.line === null ? finding.file : `${finding.file}:${finding.line}`}</code>
              <span>
                {finding.advisory === true ? <em>Advisory: </em> : null}
                {finding.message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
