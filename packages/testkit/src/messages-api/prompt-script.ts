import { createHash } from 'node:crypto'
import { type MessagesRequest, toBlocks } from '@corrigenda/demo/messages-api'
import type { ModelScript } from './model-script.ts'
import { nextScriptTurn, type ScriptTurn } from './script-turn.ts'

const marker = /corrigenda-script:([A-Za-z0-9_-]{8,})/g

interface PromptScript {
  /** Identifies the job in the transcript (`label` is `id/turn`). Faults are counted per ID. */
  id: string
  turns: readonly ScriptTurn[]
}

/**
 * Builds a prompt that contains the script for `promptModelScript`.
 * @param options.id default: a hash of the text and turns, so that two jobs with the same prompt
 *   share their faults
 */
export function scriptPrompt(text: string, turns: readonly ScriptTurn[], options: { id?: string } = {}): string {
  const id =
    options.id ??
    createHash('sha256')
      .update(JSON.stringify([text, turns]))
      .digest('hex')
      .slice(0, 12)
  return `${text}\n\ncorrigenda-script:${Buffer.from(JSON.stringify({ id, turns })).toString('base64url')}\n`
}

/**
 * Returns the newest script and the position of its message, or null if no prompt contains a
 * script. Only the last text block in a user message is a prompt. Earlier blocks (earlier prompts,
 * a summary) are ignored.
 */
function findPromptScript(request: MessagesRequest): { script: PromptScript; position: number } | null {
  for (let position = request.messages.length - 1; position >= 0; position -= 1) {
    const message = request.messages[position]
    if (message?.role !== 'user') continue
    const prompt = toBlocks(message.content)
      .filter((block) => block.type === 'text')
      .at(-1)
    const encoded = [...(prompt?.text ?? '').matchAll(marker)].at(-1)?.[1]
    if (!encoded) continue
    return { script: JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as PromptScript, position }
  }
  return null
}

/**
 * A model script that follows the newest script in a prompt, then finishes. Many jobs can use it
 * concurrently. If a new conversation starts because the context is full, the script restarts
 * without the faults that have already occurred.
 */
export const promptModelScript: ModelScript = (request) => {
  const found = findPromptScript(request)
  if (found) return nextScriptTurn(found.script.turns, request.messages.slice(found.position), found.script.id)
  const reason = 'The prompt contains no script.'
  return {
    label: 'no script',
    content: [
      { type: 'text', text: reason },
      { type: 'tool_use', name: 'finish', input: { outcome: 'impossible', reason } },
    ],
  }
}
