import { buildModelScript, type MessagesApi, startMessagesApi } from '@corrigenda/testkit'
import { buildCallModel, type CallModel } from '@corrigenda/worker/parts'
import type { ToolCall } from '../gold/build-replay.ts'

/** A strict Messages API on loopback whose models each replay one script. */
export interface ReplayModel extends AsyncDisposable {
  readonly callModel: CallModel
  /** Returns the id of a model that replays these turns. */
  add(turns: readonly (readonly ToolCall[])[]): string
  /**
   * Returns the requests that the API rejected and the conversations that were not append-only.
   * Empty on success.
   */
  faults(): string[]
}

/** Turns allowed beyond the script, because a rejected `finish` is called again. */
const EXTRA_TURNS = 4

export async function openReplayModel(): Promise<ReplayModel> {
  const scripts = new Map<string, readonly (readonly ToolCall[])[]>()
  const modelScript = buildModelScript(({ model, messages }) => {
    const turns = scripts.get(model) ?? []
    const index = messages.filter(({ role }) => role === 'assistant').length
    const turn = turns[Math.min(index, turns.length - 1)]
    if (turn === undefined || index >= turns.length + EXTRA_TURNS) return [{ text: 'There is nothing to add.' }]
    return turn.map(({ name, input }) => ({ tool: name, input: { ...input } }))
  })
  const api: MessagesApi = await startMessagesApi({ modelScript, keepBodies: 1 })
  return {
    callModel: buildCallModel({ apiKey: api.key, baseUrl: api.url, maxRetries: 0 }),
    add(turns) {
      const model = `claude-haiku-replay-${scripts.size}`
      scripts.set(model, turns)
      return model
    },
    faults: () => [...api.rejected(), ...api.violations().map(({ reason }) => reason)],
    [Symbol.asyncDispose]: () => api.close(),
  }
}
