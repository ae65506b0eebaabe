import type { ModelConnection } from './build-provider.ts'
import type { Platform } from './platform.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The parsed settings that define where models are hosted. */
interface PlatformSettings {
  readonly MODEL_PROVIDER: 'anthropic' | 'bedrock' | 'vertex'
  readonly AWS_REGION?: string | undefined
  readonly AWS_BEARER_TOKEN_BEDROCK?: string | undefined
  readonly AWS_ACCESS_KEY_ID?: string | undefined
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined
  readonly AWS_SESSION_TOKEN?: string | undefined
  readonly ANTHROPIC_BEDROCK_BASE_URL?: string | undefined
  readonly CLOUD_ML_REGION?: string | undefined
  readonly ANTHROPIC_VERTEX_PROJECT_ID?: string | undefined
  readonly ANTHROPIC_VERTEX_BASE_URL?: string | undefined
}

/** Returns the platform, or null for the Messages API or a server that implements it. */
export function toPlatform(s: PlatformSettings): Platform | null {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = s
  switch (s.MODEL_PROVIDER) {
    case 'anthropic':
      return null
    case 'bedrock':
      return {
        kind: 'bedrock',
        region: s.AWS_REGION ?? '',
        baseUrl: s.ANTHROPIC_BEDROCK_BASE_URL ?? null,
        apiKey: s.AWS_BEARER_TOKEN_BEDROCK ?? null,
        keys: id && secret ? { id, secret, sessionToken: s.AWS_SESSION_TOKEN ?? null } : null,
      }
    case 'vertex':
      return {
        kind: 'vertex',
        region: s.CLOUD_ML_REGION ?? '',
        projectId: s.ANTHROPIC_VERTEX_PROJECT_ID ?? null,
        baseUrl: s.ANTHROPIC_VERTEX_BASE_URL ?? null,
      }
  }
}

/**
 * Returns the model host's URL for display. Defaults to the public URL that is built into the
 * platform library.
 */
export function toAddress(s: PlatformSettings & { readonly ANTHROPIC_BASE_URL: string }): string {
  switch (s.MODEL_PROVIDER) {
    case 'anthropic':
      return s.ANTHROPIC_BASE_URL
    case 'bedrock':
      return s.ANTHROPIC_BEDROCK_BASE_URL ?? `https://bedrock-runtime.${s.AWS_REGION}.amazonaws.com`
    case 'vertex':
      return s.ANTHROPIC_VERTEX_BASE_URL ?? 'https://aiplatform.googleapis.com'
  }
}

/** Returns a problem for each missing setting that the selected provider requires. */
export function findModelProblems(values: Env): string[] {
  if (values.MODEL_PROVIDER === 'bedrock') {
    const pair = [values.AWS_ACCESS_KEY_ID, values.AWS_SECRET_ACCESS_KEY].filter(Boolean).length
    return [
      ...(values.AWS_REGION ? [] : ['AWS_REGION: is required with MODEL_PROVIDER=bedrock']),
      ...(pair === 1 ? ['AWS_ACCESS_KEY_ID: must be set together with AWS_SECRET_ACCESS_KEY'] : []),
    ]
  }
  if (values.MODEL_PROVIDER === 'vertex') {
    return values.CLOUD_ML_REGION
      ? []
      : ['CLOUD_ML_REGION: is required with MODEL_PROVIDER=vertex. Set it to a region or to global']
  }
  if (values.MODEL_AUTH === 'none') return []
  if (values.ANTHROPIC_API_KEY || (values.ANTHROPIC_AUTH_TOKEN && values.MODEL_AUTH !== 'x-api-key')) return []
  return [
    'ANTHROPIC_API_KEY: is required. Set it to a Messages API key, or set ANTHROPIC_AUTH_TOKEN. If the server does not require a key, set MODEL_AUTH=none',
  ]
}

/** Returns the connection's secrets, except for the Messages API key. */
export function listModelSecrets({ authToken, headers = {}, platform }: ModelConnection): string[] {
  // Short values such as versions and flags are not secrets and would match ordinary page text.
  const values = Object.values(headers).filter((value) => value.length >= 12)
  if (platform?.kind !== 'bedrock') return [authToken ?? '', ...values]
  const { apiKey, keys } = platform
  return [authToken ?? '', ...values, apiKey ?? '', keys?.secret ?? '', keys?.sessionToken ?? '']
}
