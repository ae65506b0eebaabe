import { findToolCall, formatCallSubject, toCallSubject } from '@corrigenda/contracts'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { RelativeTime } from '../../components/times.tsx'
import type { Entry, ToolCall } from './build-entries.ts'
import { SafeMarkdown } from './markdown.tsx'

/** Longer text is shown in full only on demand, because only the page itself scrolls. */
const SHORT = 3_000

const MESSAGE_STATES = {
  delivered: 'Follow-up (delivered while the agent was working)',
  waiting: 'Follow-up (pending)',
  dropped: 'Follow-up (not delivered: cancellation requested)',
} as const

/**
 * One transcript entry. `isFound` is true if the entry matches a search. Its collapsed parts are
 * then expanded.
 */
export function EntryView({ entry, isFound }: { entry: Entry; isFound: boolean }) {
  switch (entry.kind) {
    case 'run':
      return (
        <Prompt title={entry.run.seq === 1 ? 'Prompt' : 'Follow-up'} at={entry.createdAt}>
          {entry.text}
        </Prompt>
      )
    case 'message':
      return (
        <Prompt title={MESSAGE_STATES[entry.state]} at={entry.createdAt}>
          {entry.text}
        </Prompt>
      )
    case 'header': {
      const { model, harnessVersion, system, tools, cut } = entry.block
      const title = entry.isContinuation ? 'New conversation' : 'Conversation'
      return (
        <Disclosure title={`${title} with ${model}`} isOpen={isFound && system !== ''}>
          <p className="muted">
            Harness {harnessVersion}. Tools: {tools.join(', ')}.
          </p>
          <Output text={system} cut={cut} />
        </Disclosure>
      )
    }
    case 'input':
      return (
        <Disclosure title="Context sent to the model" detail={toFirstLine(entry.text)} isOpen={isFound}>
          <Output text={entry.text} cut={entry.cut} />
        </Disclosure>
      )
    case 'thought':
      return (
        <Disclosure title="Thinking" detail={toFirstLine(entry.text)} isOpen={isFound}>
          <SafeMarkdown text={entry.text} />
          <Cut count={entry.cut} />
        </Disclosure>
      )
    case 'said':
      return (
        <div className="transcript-said">
          <SafeMarkdown text={entry.text} />
          <Cut count={entry.cut} />
        </div>
      )
    case 'calls':
      return (
        <div className="transcript-calls">
          {entry.calls.map((call) => (
            <ToolCallView key={call.id} call={call} isOpen={isFound} />
          ))}
        </div>
      )
  }
}

function Prompt({ title, at, children }: { title: string; at: string; children: ReactNode }) {
  return (
    <div className="transcript-prompt">
      <p className="spread small muted">
        <span>{title}</span>
        <RelativeTime at={at} />
      </p>
      <p className="transcript-prompt-text">{children}</p>
    </div>
  )
}

const toFirstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 160)

/** A tool call's name and subject. Its input and output are shown on demand. */
function ToolCallView({ call, isOpen }: { call: ToolCall; isOpen: boolean }) {
  const { name, result } = call
  const known = findToolCall(call)
  const state = result === null ? ' · no result' : result.isError ? ' · error' : ''
  return (
    <Disclosure
      title={
        <>
          <code>{name}</code>
          <span className={result?.isError ? 'transcript-refused' : 'muted'}>{state}</span>
        </>
      }
      detail={known === null ? '' : formatCallSubject(toCallSubject(known))}
      isOpen={isOpen}
    >
      <p className="transcript-label small muted">Input</p>
      <Output text={toInputText(call)} cut={call.cut} />
      {result === null ? null : (
        <>
          <p className="transcript-label small muted">{result.isError ? 'Error' : 'Output'}</p>
          <Output text={result.text} cut={result.cut} isError={result.isError} />
        </>
      )}
    </Disclosure>
  )
}

/** Formats a call's input. Strings keep their line breaks for readability. */
function toInputText({ input }: ToolCall): string {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return JSON.stringify(input, null, 2)
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

/** Plain text, shortened if it is long. */
function Output({ text, cut, isError = false }: { text: string; cut: number; isError?: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHORT * 1.2
  return (
    <>
      <pre className="transcript-output output" data-error={isError || undefined}>
        {isLong && !isWhole ? text.slice(0, SHORT).toWellFormed() : text}
      </pre>
      {isLong ? (
        <Button variant="quiet" aria-expanded={isWhole} onClick={() => setWhole((whole) => !whole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      ) : null}
      <Cut count={cut} />
    </>
  )
}

/** A note with the number of hidden characters. */
function Cut({ count }: { count: number }) {
  return count === 0 ? null : <p className="muted">Characters not shown: {count.toLocaleString('en')}</p>
}
