import type { MessagesRequest, PromptCache } from '@corrigenda/demo/messages-api'
import type { RequestRules } from './check-request.ts'
import type { Barriers } from './hold-requests.ts'
import type { ModelScript } from './model-script.ts'
import type { Faults } from './pick-fault.ts'
import type { RequestRecord } from './request-record.ts'
import type { ServerProfile } from './server-profile.ts'
import type { Conversations, Violation } from './track-conversations.ts'

/** A gate that a test sets for matching requests. */
interface Hold {
  key: string
  match?: (request: MessagesRequest) => boolean
}

/** A running server's state. The model script cannot read it. */
export interface ApiState {
  modelScript: ModelScript
  profile: ServerProfile
  rules: Omit<RequestRules, 'counting'>
  pingMs: number
  minCacheTokens: number
  records: RequestRecord[]
  violations: Violation[]
  conversations: Conversations
  cache: PromptCache
  faults: Faults
  barriers: Barriers
  holds: Hold[]
}
