import type { MessagesRequest, PromptCache } from '@corrigenda/demo/messages-api'
import type { Brain } from './brain.ts'
import type { RequestRules } from './check-request.ts'
import type { Gates } from './hold-requests.ts'
import type { Personality } from './personality.ts'
import type { Faults } from './pick-fault.ts'
import type { RequestRecord } from './request-record.ts'
import type { Conversations, Violation } from './track-conversations.ts'

/** A gate for matching requests, set by a test. */
export interface Hold {
  key: string
  match?: (request: MessagesRequest) => boolean
}

/** State of a running server. The brain cannot read it. */
export interface ApiState {
  brain: Brain
  personality: Personality
  rules: Omit<RequestRules, 'counting'>
  pingMs: number
  minCacheTokens: number
  records: RequestRecord[]
  violations: Violation[]
  conversations: Conversations
  cache: PromptCache
  faults: Faults
  gates: Gates
  holds: Hold[]
}
