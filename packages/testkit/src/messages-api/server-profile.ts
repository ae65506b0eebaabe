import type { IncomingHttpHeaders } from 'node:http'
import { isObject, type JsonObject, refuse } from '@corrigenda/demo/messages-api'

/** Features that an older gateway may not support. */
type Unknown = 'cache_control' | 'strict' | 'thinking' | 'effort' | 'tool_choice'

/** Differences between this server and the newest Messages API. */
export interface ServerProfile {
  name: 'anthropic' | 'gateway' | 'local'
  /** How the client sends the key. With `none`, no key is required. */
  credential: 'bearer' | 'x-api-key' | 'none'
  /** Required headers and their values, in lower case. */
  headers?: Record<string, string>
  /** The only accepted `anthropic-version`. Default: all versions of the Messages API. */
  version?: string
  /** Rejected fields. */
  refuses: readonly Unknown[]
  /**
   * True for a server like vLLM, which accepts any model ID and returns no thinking or cache usage.
   */
  isPlain: boolean
  /** Response to a prompt that is too long. */
  overflow: 'refuse' | 'truncate'
}

export const anthropicProfile: ServerProfile = {
  name: 'anthropic',
  credential: 'bearer',
  refuses: [],
  isPlain: false,
  overflow: 'refuse',
}

/** A company gateway. It uses `x-api-key` and rejects unsupported fields. */
export const gatewayProfile = (refuses: readonly Unknown[] = []): ServerProfile => ({
  name: 'gateway',
  credential: 'x-api-key',
  refuses,
  isPlain: false,
  overflow: 'refuse',
})

/** A local server without a key or a cache. */
export const localProfile = (overflow: 'refuse' | 'truncate' = 'refuse'): ServerProfile => ({
  name: 'local',
  credential: 'none',
  refuses: [],
  isPlain: true,
  overflow,
})

/**
 * Checks a request against the profile.
 * @throws ApiError 400 that names the field or header
 */
export function checkProfile(profile: ServerProfile, headers: IncomingHttpHeaders, body: unknown): void {
  for (const [name, value] of Object.entries(profile.headers ?? {})) {
    if (headers[name] !== value) refuse(`${name}: header is required by this gateway`)
  }
  const { version } = profile
  if (version !== undefined && headers['anthropic-version'] !== version) {
    refuse(`anthropic-version: only ${version} is supported by this gateway`)
  }
  if (!isObject(body)) return
  for (const field of profile.refuses) if (hasField(body, field)) refuse(`${field}: Extra inputs are not permitted`)
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
