import type { Env } from '@corrigenda/core/runtime'
import { buildRehearsalModel, REHEARSAL_MODEL_ID, startModelServer } from '@corrigenda/demo'

/**
 * A local server that implements the Messages API and serves the rehearsal model, a script that
 * recognizes a few requests.
 */
export interface DemoModel {
  readonly env: Env
  close(): Promise<void>
}

export async function startDemoModel(): Promise<DemoModel> {
  const server = await startModelServer({ modelScript: buildRehearsalModel(), model: REHEARSAL_MODEL_ID })
  return {
    env: {
      ANTHROPIC_API_KEY: server.key,
      ANTHROPIC_BASE_URL: server.url,
      MODEL: REHEARSAL_MODEL_ID,
      MODEL_ALIASES: ['sonnet', 'opus', 'haiku'].map((alias) => `${alias}=${REHEARSAL_MODEL_ID}`).join(','),
    },
    close: () => server.close(),
  }
}
