/**
 * The parts of the Messages API that the demo's model server shares with the testkit's strict
 * server.
 */
export { ApiError, errorTypeOf, refuse, toErrorBody } from './api-error.ts'
export {
  type Answer,
  type AnswerBlock,
  buildDraft,
  cutBlock,
  type Draft,
  estimateAnswerTokens,
  signDraft,
  textOf,
} from './build-answer.ts'
export { estimateTokens } from './estimate-tokens.ts'
export { isObject, type JsonObject } from './json-object.ts'
export { listenOnLoopback } from './listen.ts'
export {
  type MessagesRequest,
  type RequestBlock,
  type RequestMessage,
  type ToolUseBlock,
  toBlocks,
  toResultText,
} from './messages-request.ts'
export { type InputUsage, meterUsage, type PromptCache } from './meter-usage.ts'
export type { ModelBlock, ModelTurn } from './model-script.ts'
export { pause } from './pause.ts'
export { readBody } from './read-body.ts'
export {
  hashPrefixes,
  hashText,
  readMark,
  readMessageMark,
  signThinking,
  toBareJson,
} from './sign-thinking.ts'
export {
  openEventStream,
  toBlockDeltas,
  toBlockEvents,
  toBlockStart,
  toEndEvents,
  toStartEvent,
} from './stream-events.ts'
export { toMessage, toUsage, toWholeBlock } from './to-message.ts'
