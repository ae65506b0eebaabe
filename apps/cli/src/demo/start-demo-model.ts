import type { Env } from '@corrigenda/core'
import { rehearsalBrain, rehearsalModel, startMessagesApi } from '@corrigenda/testkit'

/** The rehearsal model: a local server that speaks the Messages API and follows a small grammar of prompts. */
export interface DemoModel {
  readonly env: Env
  close(): Promise<void>
}

export async function startDemoModel(): Promise<DemoModel> {
  const api = await startMessagesApi({ brain: rehearsalBrain(), models: [rehearsalModel] })
  return {
    env: { ANTHROPIC_API_KEY: api.key, ANTHROPIC_BASE_URL: api.url, MODEL: rehearsalModel },
    close: () => api.close(),
  }
}
