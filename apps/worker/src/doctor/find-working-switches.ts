import type { AgentOptions } from '@corrigenda/agent/loop'
import { MAX_CALLS, ModelError } from '@corrigenda/agent/model'

interface Switch {
  readonly setting: string
  readonly isOn: (options: AgentOptions) => boolean
  readonly off: Partial<AgentOptions>
}

const SWITCHES: readonly Switch[] = [
  { setting: 'MODEL_CACHING=off', isOn: ({ caching }) => caching, off: { caching: false } },
  { setting: 'MODEL_STRICT=off', isOn: ({ strict }) => strict, off: { strict: false } },
  { setting: 'MODEL_THINKING=omit', isOn: ({ thinking }) => thinking !== 'omit', off: { thinking: 'omit' } },
  { setting: 'MODEL_EFFORT= (empty)', isOn: ({ effort }) => effort !== null, off: { effort: null } },
  {
    setting: `MODEL_PARALLEL_CALLS=${MAX_CALLS}`,
    isOn: ({ parallelCalls }) => parallelCalls === 1,
    off: { parallelCalls: MAX_CALLS },
  },
]

/**
 * Finds the settings that make a rejected request work. Tries each alone, then all together. Then
 * reverts them one at a time, so that the result contains only necessary settings. Makes a few
 * short requests.
 * @param attempt throws ModelError when the provider rejects these options
 * @returns the settings; null if the request fails even with all of them
 */
export async function findWorkingSwitches(
  options: AgentOptions,
  attempt: (options: AgentOptions) => Promise<unknown>,
): Promise<string[] | null> {
  const works = async (off: readonly Switch[]) => {
    try {
      await attempt(Object.assign({}, options, ...off.map((one) => one.off)))
      return true
    } catch (error) {
      if (error instanceof ModelError) return false
      throw error
    }
  }
  const on = SWITCHES.filter((one) => one.isOn(options))
  for (const one of on) if (await works([one])) return [one.setting]
  if (on.length < 2 || !(await works(on))) return null
  let needed = on
  for (const one of on) {
    const fewer = needed.filter((other) => other !== one)
    if (fewer.length > 1 && (await works(fewer))) needed = fewer
  }
  return needed.map(({ setting }) => setting)
}
