export { ANTHROPIC_URL } from './anthropic-provider.ts'
export { buildProvider } from './build-provider.ts'
export { buildCallModel, type CallModelOptions } from './call-model.ts'
export type { CallModel, ModelReply } from './model-call.ts'
export { MAX_CALLS } from './model-call.ts'
export { ModelError } from './model-error.ts'
export {
  customHeaders,
  findModelProblems,
  httpUrl,
  listModelSecrets,
  type ModelFacts,
  modelFacts,
  onOff,
  toAddress,
  toPlatform,
  toPrices,
} from './model-settings.ts'
export { ensurePlatform } from './platform.ts'
export { toCost, toPromptTokens } from './to-cost.ts'
export type {
  ConversationHeader,
  SourcesRead,
  StoredRow,
  TranscriptRow,
  TranscriptStore,
  TurnUsage,
} from './transcript.ts'
export { addUsage } from './transcript.ts'
