import type { RepositoryTest, RepositoryTestStep, RepositoryTestStepName } from '@corrigenda/contracts'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import type { ConnectionCheck } from './use-connection-check.ts'
import './settings.css'

const STEPS: Readonly<Record<RepositoryTestStepName, string>> = {
  host_allowed: 'Host allowed',
  credential_present: 'Credential present',
  repository_reachable: 'Repository reachable',
  base_branch: 'Base branch exists',
  contents_read: 'Files readable',
  push_allowed: 'Push allowed',
  pull_requests_write: 'Pull requests allowed',
  checks_read: 'Checks readable',
  actions_write: 'Workflow runs allowed',
  workflow_secrets: 'Secrets of workflows protected',
  source: 'Source readable',
}

const BADGES: Readonly<Record<RepositoryTestStep['status'] | 'warning', BadgeProps>> = {
  passed: { children: 'Passed', icon: 'check', tone: 'ok' },
  failed: { children: 'Failed', icon: 'failed', tone: 'bad' },
  warning: { children: 'Warning', icon: 'warning', tone: 'warn' },
  skipped: { children: 'Skipped', icon: 'dash', tone: 'muted' },
}

/** Starts a connection check on a worker and shows its steps live. */
export function ConnectionTest(props: {
  check: ConnectionCheck
  /** Shows the steps of the sources, too. */
  showsSources?: boolean
}) {
  const { check, showsSources = false } = props
  return (
    <div className="stack">
      <div className="cluster">
        <Button icon="refresh" busy={check.isOpen} onClick={check.start}>
          Check connection
        </Button>
        <span className="muted">A worker runs the check. Nothing is pushed or changed.</span>
      </div>
      {check.error ? <ErrorNote error={check.error} /> : null}
      {check.test ? <Steps test={check.test} showsSources={showsSources} /> : null}
    </div>
  )
}

function Steps({ test, showsSources }: { test: RepositoryTest; showsSources: boolean }) {
  const steps = test.steps.filter(({ source }) => showsSources || source === undefined)
  const works = steps.every(({ status, optional }) => status !== 'failed' || optional === true)
  const verdict =
    test.ok === null
      ? test.status === 'waiting'
        ? 'Waiting for a worker…'
        : 'Running…'
      : works
        ? 'The connection works.'
        : 'The connection does not work yet.'
  return (
    <div className="stack" data-testid="connection-test">
      <p>
        <strong>{verdict}</strong>
      </p>
      {test.missing.length > 0 ? (
        <div className="notice" data-tone="bad">
          <div>
            <p>Missing permissions:</p>
            <ul>
              {test.missing.map((permission) => (
                <li key={permission}>{permission}</li>
              ))}
            </ul>
          </div>
        </div>
      ) : null}
      <ol className="stack gap-2">
        {steps.map((step) => (
          <li
            key={`${step.name} ${step.source ?? ''}`}
            className="settings-step"
            data-testid={step.source === undefined ? `step-${step.name}` : `step-source-${step.source}`}
          >
            <span>
              <StepBadge step={step} />
            </span>
            <span>
              <strong>{step.source === undefined ? STEPS[step.name] : `Source ${step.source} readable`}</strong>
              <br />
              <span className="muted">{step.message}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The result of a step. A failed step that does not prevent jobs is a warning. */
export function StepBadge({ step: { status, optional } }: { step: RepositoryTestStep }) {
  return <Badge {...BADGES[status === 'failed' && optional ? 'warning' : status]} />
}
