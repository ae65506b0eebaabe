import type { RepositoryTest, RepositoryTestStep, RepositoryTestStepName } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { repositoryTestQuery, startRepositoryTest } from '../../api/repository-tests.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnnounce } from '../../components/announcer.tsx'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
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
}

const BADGES: Readonly<Record<RepositoryTestStep['status'], Omit<BadgeProps, 'children'> & { word: string }>> = {
  passed: { word: 'Passed', icon: 'check', tone: 'ok' },
  failed: { word: 'Failed', icon: 'failed', tone: 'bad' },
  skipped: { word: 'Skipped', icon: 'dash', tone: 'muted' },
}

/**
 * Starts a connection check on a worker and shows its steps live.
 * @param onEnd called when the check ends
 */
export function ConnectionTest({ onEnd }: { onEnd?: () => void }) {
  const projectId = useProjectId()
  const announce = useAnnounce()
  const [testId, setTestId] = useState<string | null>(null)
  const start = useAction({
    mutationFn: () => startRepositoryTest(projectId),
    onSuccess: ({ id }) => setTestId(id),
  })
  const { data: test, error } = useQuery({
    ...repositoryTestQuery(projectId, testId ?? ''),
    enabled: testId !== null,
  })
  const isOpen = testId !== null && test?.status !== 'done' && !error
  const ok = test?.ok ?? null
  useEffect(() => {
    if (ok === null) return
    announce(ok ? 'The connection works' : 'The connection does not work')
    onEnd?.()
  }, [ok, announce, onEnd])
  return (
    <div className="stack">
      <div className="cluster">
        <Button icon="refresh" busy={start.isPending || isOpen} onClick={() => start.mutate()}>
          Check connection
        </Button>
        <span className="muted">A worker runs the check. Nothing is pushed or changed.</span>
      </div>
      {start.error || error ? <ErrorNote error={start.error ?? error} /> : null}
      {test ? <Steps test={test} /> : null}
    </div>
  )
}

function Steps({ test }: { test: RepositoryTest }) {
  const verdict =
    test.ok === null
      ? test.status === 'waiting'
        ? 'Waiting for a worker…'
        : 'Running…'
      : test.ok
        ? 'The connection works.'
        : 'The connection does not work yet.'
  return (
    <div className="stack" data-testid="connection-test">
      <p>
        <strong>{verdict}</strong>
      </p>
      {test.missing.length > 0 ? (
        <div className="settings-missing">
          <p>Missing permissions:</p>
          <ul>
            {test.missing.map((permission) => (
              <li key={permission}>{permission}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <ol className="settings-steps">
        {test.steps.map(({ name, status, message }) => {
          const { word, ...badge } = BADGES[status]
          return (
            <li key={name} className="settings-step" data-testid={`step-${name}`}>
              <span>
                <Badge {...badge}>{word}</Badge>
              </span>
              <span>
                <strong>{STEPS[name]}</strong>
                <br />
                <span className="muted">{message}</span>
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
