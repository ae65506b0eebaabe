import type { ScriptTurn } from '@corrigenda/testkit'
import { type FaultRow, FOREVER, failsWith, OUTAGE, RECOVERED } from './fault-row.ts'
import { EDIT, VIEW } from './row-script.ts'

const say = (text: string): ScriptTurn => [{ text }]

/** Connections that end before a reply does, and malformed or unexpected replies. */
export const MODEL_REPLY_ROWS: readonly FaultRow[] = [
  {
    id: 'model-reset',
    title: 'connection reset before the answer',
    model: { kind: 'reset', times: 2 },
    expect: { ...RECOVERED, modelFaults: 2 },
  },
  {
    id: 'model-reset-outage',
    title: 'connection reset, for hours',
    model: { kind: 'reset', times: FOREVER },
    expect: failsWith('model_unavailable', { modelFaults: 30, waits: OUTAGE }),
  },
  {
    id: 'model-cut',
    title: 'cut in the middle of a tool call',
    model: { kind: 'cut' },
    expect: { ...RECOVERED, modelFaults: 1 },
    both: true,
  },
  {
    id: 'model-stalled',
    title: 'not a byte for longer than 90 s in the middle of a reply',
    model: { kind: 'stall', ms: 60_000 },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-stalled-outage',
    title: 'the same, for hours',
    model: { kind: 'stall', ms: 60_000, times: FOREVER },
    expect: failsWith('model_unavailable', { modelFaults: 12, waits: OUTAGE.slice(3) }),
    attemptsUsed: 3,
  },
  {
    id: 'model-overloaded-event',
    title: '`overloaded_error` event after the 200',
    model: { kind: 'sse_error', type: 'overloaded_error', times: 2 },
    expect: { ...RECOVERED, modelFaults: 2 },
  },
  {
    id: 'model-api-error-event',
    title: '`api_error` event after the 200',
    model: { kind: 'sse_error', type: 'api_error', message: 'Internal server error' },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-bad-json',
    title: 'a tool call that is not JSON, once',
    model: { kind: 'garbage_json' },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-bad-json-again',
    title: 'the same, six times in a row',
    model: { kind: 'garbage_json', times: FOREVER },
    expect: failsWith('model_bad_reply', { modelFaults: 6 }),
  },
  {
    id: 'model-unknown-tool',
    title: 'a call of a tool that does not exist',
    turns: [VIEW, [{ tool: 'run_shell', input: { command: 'ls' } }], EDIT],
    expect: RECOVERED,
  },
  {
    id: 'model-bad-input',
    title: 'a tool call whose input does not fit',
    turns: [VIEW, [{ tool: 'edit', input: { path: 7, old_str: ['x'] } }], EDIT],
    expect: RECOVERED,
  },
  {
    id: 'model-tool-refused',
    title: 'a tool call that fails: no such file, a path outside, a protected file',
    turns: [
      [{ tool: 'view', input: { path: 'nowhere.mdx' } }],
      [{ tool: 'view', input: { path: '../../etc/passwd' } }],
      [{ tool: 'create', input: { path: '.github/workflows/x.yml', file_text: 'on: push\n' } }],
      EDIT,
    ],
    expect: RECOVERED,
  },
  {
    id: 'model-refusal',
    title: 'stop reason `refusal`',
    model: { kind: 'refusal', category: 'cyber', times: FOREVER },
    expect: failsWith('model_refused', { modelFaults: 1 }),
  },
  {
    id: 'model-max-tokens',
    title: '`max_tokens` in the middle of a tool call',
    model: { kind: 'max_tokens' },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-context-window',
    title: 'stop reason `model_context_window_exceeded`',
    model: { kind: 'model_context_window_exceeded' },
    expect: { ...RECOVERED, modelFaults: 1, conversations: 2 },
  },
  {
    id: 'model-unknown-stop',
    title: 'a stop reason nobody has heard of',
    model: { kind: 'unknown_stop', reason: 'lunch_break', times: FOREVER },
    expect: failsWith('model_bad_reply', { modelFaults: 1, message: /lunch_break/ }),
  },
  {
    id: 'model-pause',
    title: 'stop reason `pause_turn`',
    model: { kind: 'pause_turn', times: 2 },
    expect: { ...RECOVERED, modelFaults: 2 },
  },
  {
    id: 'model-empty',
    title: 'an empty reply, once',
    model: { kind: 'empty' },
    expect: { ...RECOVERED, modelFaults: 1 },
  },
  {
    id: 'model-empty-again',
    title: 'nothing but empty replies',
    model: { kind: 'empty', times: FOREVER },
    expect: failsWith('no_finish', { modelFaults: 4 }),
  },
  {
    id: 'model-talks',
    title: 'replies without tool calls, four in a row',
    turns: [say('I think so.'), say('Let me see.'), say('Nearly.'), say('Done!')],
    expect: failsWith('no_finish'),
  },
  {
    id: 'model-repeats',
    title: 'the same call five times with the same result',
    turns: [VIEW, VIEW, VIEW, VIEW, VIEW],
    expect: failsWith('stuck'),
  },
]
