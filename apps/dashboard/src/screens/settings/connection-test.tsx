import type { RepositoryTest, RepositoryTestStep, RepositoryTestStepName } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { repositoryTestQuery, startRepositoryTest } from '../../api/settings.ts'
import { useAnnounce } from '../../components/announcer.tsx'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProjectId } from '../../shell/use-project.ts'
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

/** The connection check that this page has started last. */
export interface ConnectionCheck {
  readonly test: RepositoryTest | undefined
  readonly isOpen: boolean
  readonly error: Error | null
  /**
   * Starts a check on a worker. If a check is running, another one follows, because the running one
   * may have read earlier settings.
   */
  readonly start: () => void
}

/** @param onEnd called when a check ends */
export function useConnectionCheck(onEnd?: () => void): ConnectionCheck {
  const projectId = useProjectId()
  const announce = useAnnounce()
  const [testId, setTestId] = useState<string | null>(null)
  const startsAgain = useRef(false)
  const {
    mutate,
    isPending,
    error: startError,
  } = useAction({
    mutationFn: () => startRepositoryTest(projectId),
    onSuccess: ({ id }) => setTestId(id),
  })
  const { data: test, error: readError } = useQuery({
    ...repositoryTestQuery(projectId, testId ?? ''),
    enabled: testId !== null,
  })
  const isOpen = isPending || (testId !== null && test?.status !== 'done' && !readError)
  const ok = test?.ok ?? null
  useEffect(() => {
    if (ok === null) return
    announce(ok ? 'The connection works' : 'The connection does not work')
    onEnd?.()
    if (!startsAgain.current) return
    startsAgain.current = false
    mutate()
  }, [ok, announce, onEnd, mutate])
  const start = () => {
    if (isOpen) startsAgain.current = true
    else mutate()
  }
  return { test, isOpen, error: startError ?? readError, start }
}
