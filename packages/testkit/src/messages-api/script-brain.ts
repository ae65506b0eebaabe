import { randomUUID } from 'node:crypto'
import type { MessagesRequest } from '@corrigenda/demo/messages-api'
import type { Brain } from './brain.ts'
import { nextScriptTurn, type ScriptTurn, toBrainTurn } from './script-turn.ts'

/**
 * A brain that says a fixed list of turns, then finishes. Which turn comes next is read from the assistant messages of
 * the request, so a conversation begun anew (after a handover) starts the list again; give a function of the request
 * where that is not wanted. A fault of a turn happens once per brain, not once per conversation.
 */
export function scriptBrain(script: readonly ScriptTurn[] | ((request: MessagesRequest) => ScriptTurn)): Brain {
  const key = `script-${randomUUID()}`
  if (typeof script !== 'function') return (request) => nextScriptTurn(script, request.messages, key)
  return (request) => {
    const turn = script(request)
    return toBrainTurn(turn, `${key}/${JSON.stringify(turn)}`)
  }
}
