import type { IncomingHttpHeaders } from 'node:http'
import { isObject, type JsonObject, refuse } from '@corrigenda/demo/messages-api'

/** What an older gateway may not know. */
export type Unknown = 'cache_control' | 'strict' | 'thinking' | 'effort' | 'tool_choice'

/** How this server differs from the newest Messages API. */
export interface Personality {
  name: 'anthropic' | 'gateway' | 'local'
  /** Where the key must be; with `none` no key is asked for. */
  credential: 'bearer' | 'x-api-key' | 'none'
  /** Headers that must be there with these values, lower case. */
  headers?: Record<string, string>
  /** The only `anthropic-version` it takes; by default all that the Messages API has had. */
  version?: string
  /** Fields it refuses. */
  refuses: readonly Unknown[]
  /** Like vLLM: any model id and version, neither thinking nor refusals, usage without cache fields. */
  isPlain: boolean
  /** What becomes of too long a prompt. */
  overflow: 'refuse' | 'truncate'
}

export const anthropicPersonality: Personality = {
  name: 'anthropic',
  credential: 'bearer',
  refuses: [],
  isPlain: false,
  overflow: 'refuse',
}

/** A gateway of a company: `x-api-key`, and it refuses what it does not know. */
export const gatewayPersonality = (refuses: readonly Unknown[] = []): Personality => ({
  name: 'gateway',
  credential: 'x-api-key',
  refuses,
  isPlain: false,
  overflow: 'refuse',
})

/** A server on one's own machine: no key, no cache, a small window. */
export const localPersonality = (overflow: 'refuse' | 'truncate' = 'refuse'): Personality => ({
  name: 'local',
  credential: 'none',
  refuses: [],
  isPlain: true,
  overflow,
})

/** @throws ApiError 400 that names the field or header */
export function checkPersonality(personality: Personality, headers: IncomingHttpHeaders, body: unknown): void {
  for (const [name, value] of Object.entries(personality.headers ?? {})) {
    if (headers[name] !== value) refuse(`${name}: header is required by this gateway`)
  }
  const { version } = personality
  if (version !== undefined && headers['anthropic-version'] !== version) {
    refuse(`anthropic-version: only ${version} is supported by this gateway`)
  }
  if (!isObject(body)) return
  for (const field of personality.refuses) if (hasField(body, field)) refuse(`${field}: Extra inputs are not permitted`)
}

function hasField(body: JsonObject, field: Unknown): boolean {
  switch (field) {
    case 'cache_control':
      return JSON.stringify([body.system, body.tools, body.messages]).includes('"cache_control":{"type":')
    case 'strict':
      return Array.isArray(body.tools) && body.tools.some((tool) => isObject(tool) && 'strict' in tool)
    case 'thinking':
    case 'tool_choice':
      return field in body
    case 'effort':
      return isObject(body.output_config) && 'effort' in body.output_config
  }
}
