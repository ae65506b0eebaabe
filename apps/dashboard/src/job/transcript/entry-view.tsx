import type { ReactNode } from 'react'
import { Disclosure } from '../../components/disclosure.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import type { Entry } from './build-entries.ts'
import { SafeMarkdown } from './markdown.tsx'
import { Cut, Output } from './output.tsx'
import { ToolCallView } from './tool-call-view.tsx'

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
