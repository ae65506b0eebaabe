import { randomUUID } from 'node:crypto'
import type { MessagesRequest } from '@corrigenda/demo/messages-api'
import type { Brain } from './brain.ts'
import { nextScriptTurn, type ScriptTurn, toBrainTurn } from './script-turn.ts'

/**
 * Creates a brain that returns a fixed list of turns, then finishes. The next turn is determined
 * from the assistant messages of the request, so a new conversation (context full) restarts the
 * list. Pass a function of the request to avoid this. A fault of a turn happens once per brain, not
 * once per conversation.
 */
export function scriptBrain(script: readonly ScriptTurn[] | ((request: MessagesRequest) => ScriptTurn)): Brain {
  const key = `script-${randomUUID()}`
  if (typeof script !== 'function') return (request) => nextScriptTurn(script, request.messages, key)
  return (request) => {
    const turn = script(request)
    return toBrainTurn(turn, `${key}/${JSON.stringify(turn)}`)
  }
}
