export { addUsage } from './add-usage.ts'
export { ANTHROPIC_URL } from './anthropic-provider.ts'
export { buildProvider } from './build-provider.ts'
export { buildCallModel, type CallModelOptions } from './call-model.ts'
export { ensurePlatform } from './ensure-platform.ts'
export { MAX_CALLS } from './max-calls.ts'
export type { CallModel, ModelReply } from './model-call.ts'
export { ModelError } from './model-error.ts'
export { findModelProblems, listModelSecrets, toAddress, toPlatform } from './model-settings.ts'
export { customHeaders, httpUrl, type ModelFacts, modelFacts, onOff } from './settings.ts'
export { toCost, toPromptTokens } from './to-cost.ts'
export { toPrices } from './to-prices.ts'
export type {
  ConversationHeader,
  SourcesRead,
  StoredRow,
  TranscriptRow,
  TranscriptStore,
  TurnUsage,
} from './transcript.ts'
