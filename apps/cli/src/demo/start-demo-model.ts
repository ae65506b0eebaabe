import type { Env } from '@corrigenda/core/runtime'
import { rehearsalBrain, rehearsalModel, startModelServer } from '@corrigenda/demo'

/**
 * The rehearsal model: a local server that implements the Messages API and follows a small grammar
 * of prompts.
 */
export interface DemoModel {
  readonly env: Env
  close(): Promise<void>
}

export async function startDemoModel(): Promise<DemoModel> {
  const server = await startModelServer({ brain: rehearsalBrain(), model: rehearsalModel })
  return {
    env: { ANTHROPIC_API_KEY: server.key, ANTHROPIC_BASE_URL: server.url, MODEL: rehearsalModel },
    close: () => server.close(),
  }
}
