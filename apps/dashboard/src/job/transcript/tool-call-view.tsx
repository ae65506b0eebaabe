import { findToolCall, formatCallSubject, toCallSubject } from '@corrigenda/contracts'
import { Disclosure } from '../../components/disclosure.tsx'
import type { ToolCall } from './build-entries.ts'
import { Output } from './output.tsx'

/** A tool call's name and subject. Its input and output are shown on demand. */
export function ToolCallView({ call, isOpen }: { call: ToolCall; isOpen: boolean }) {
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
