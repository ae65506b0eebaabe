import { randomUUID } from 'node:crypto'
import type { MessagesRequest } from '@corrigenda/demo/messages-api'
import type { ModelScript } from './model-script.ts'
import { nextScriptTurn, type ScriptTurn, toModelTurn } from './script-turn.ts'

/**
 * Creates a model script that returns a fixed list of turns, then finishes. The next turn is
 * determined from the assistant messages in the request, so a new conversation restarts the list.
 * To avoid this, pass a function of the request. A turn's fault occurs once per model script, not
 * once per conversation.
 */
export function buildModelScript(
  script: readonly ScriptTurn[] | ((request: MessagesRequest) => ScriptTurn),
): ModelScript {
  const key = `script-${randomUUID()}`
  if (typeof script !== 'function') return (request) => nextScriptTurn(script, request.messages, key)
  return (request) => {
    const turn = script(request)
    return toModelTurn(turn, `${key}/${JSON.stringify(turn)}`)
  }
}
