import type { JobEventRecord } from '@corrigenda/contracts'
import { useMemo } from 'react'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { LiveDuration } from '../../components/times.tsx'
import type { FeedState } from '../events/open-event-feed.ts'
import { buildSteps, type Step, type StepKind } from './build-steps.ts'
import './timeline.css'

const ICONS: Readonly<Record<StepKind, IconName>> = {
  queued: 'check',
  preparing: 'check',
  editing: 'check',
  checking: 'check',
  publishing: 'check',
  follow_up: 'user',
  delivered: 'user',
  completed: 'check',
  failed: 'failed',
  archived: 'archive',
  pull_request: 'branch',
  deployment: 'arrow',
  other: 'dash',
}

const TONES: Readonly<Partial<Record<StepKind, BadgeTone>>> = { completed: 'ok', failed: 'bad' }

/** The job's timeline, updated live. */
export function Timeline({ events, state }: { events: readonly JobEventRecord[]; state: FeedState }) {
  const steps = useMemo(() => buildSteps(events), [events])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a region that scrolls
    <section className="timeline" aria-labelledby="timeline-title" tabIndex={0}>
      <div className="timeline-head spread">
        <h2 id="timeline-title">Timeline</h2>
        {state === 'reconnecting' ? (
          <Badge icon="refresh" tone="warn" testId="reconnecting">
            Reconnecting
          </Badge>
        ) : null}
      </div>
      <ol className="timeline-steps">
        {steps.map((step) => (
          <TimelineStep key={step.seq} step={step} />
        ))}
      </ol>
      {state === 'refused' ? <p className="muted">Live updates have stopped. Reload the page to resume them.</p> : null}
    </section>
  )
}

function TimelineStep({ step }: { step: Step }) {
  const { kind, title, startedAt, endedAt, attempt, actions, notes } = step
  const isRunning = endedAt === null
  const isPoint = startedAt === endedAt && attempt === null && kind !== 'queued'
  const last = actions.at(-1)
  return (
    <li
      className="timeline-step"
      data-testid="timeline-step"
      data-kind={kind}
      data-running={isRunning || undefined}
      data-tone={isRunning ? 'accent' : (TONES[kind] ?? 'muted')}
    >
      <Icon
        name={isRunning ? (kind === 'queued' ? 'ring' : 'turning') : ICONS[kind]}
        data-turning={isRunning ? '' : undefined}
      />
      <div className="grow">
        <p className="timeline-title">
          <span>{title}</span>
          {isPoint ? (
            <time
              className="timeline-time small muted"
              dateTime={startedAt}
              title={new Date(startedAt).toLocaleString()}
            >
              {new Date(startedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
            </time>
          ) : (
            <span className="timeline-time small muted">
              <LiveDuration from={startedAt} to={endedAt} />
            </span>
          )}
        </p>
        {attempt !== null && attempt > 1 && kind === 'preparing' ? (
          <p className="timeline-note">Attempt {attempt}</p>
        ) : null}
        {notes.filter(Boolean).map((note) => (
          <p key={note} className="timeline-note">
            {note}
          </p>
        ))}
        {last ? (
          <p className="timeline-note">
            {countActions(step)}
            {isRunning ? (
              <span className="timeline-action" data-tool={last.tool ?? undefined}>
                {last.tool ? `${last.tool} ${last.text}` : last.text}
              </span>
            ) : null}
          </p>
        ) : null}
      </div>
    </li>
  )
}

function countActions({ actions }: Step): string {
  const calls = actions.filter(({ tool }) => tool !== null).length
  return calls === 1 ? '1 tool call' : `${calls} tool calls`
}
