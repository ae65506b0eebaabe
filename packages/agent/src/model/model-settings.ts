import { z } from 'zod'
import type { ModelConnection } from './build-provider.ts'
import type { Platform } from './platform.ts'
import { DEFAULT_PRICES, type ModelPrice, type PriceTable, type TokenPrice } from './to-cost.ts'

/** URL that credentials are sent to. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be a URL, for example https://gateway.example.com' })

export const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/** Headers as `Name: value`, one per line. A literal `\n` also counts as a line break. */
export const customHeaders = z.string().transform((text, context) => {
  const headers: Record<string, string> = {}
  for (const line of text.split(/\r?\n|\\n/)) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    // The values may be credentials, so the message never contains them.
    if (!NAME.test(name) || value === '' || /[^\t\x20-\x7e]/.test(value)) {
      context.addIssue({ code: 'custom', message: 'must be "Name: value" headers, one per line' })
      return z.NEVER
    }
    headers[name] = value
  }
  return headers
})

const rate = z.number().min(0)
const Price = z.strictObject({
  input: rate,
  output: rate,
  cacheRead: rate.optional(),
  cacheWrite: rate.optional(),
})
const Model = Price.partial()
  .extend({
    /** Prices for calls with more than `promptTokens` prompt tokens. */
    above: Price.extend({ promptTokens: z.number().int().positive() }).optional(),
    contextTokens: z.number().int().min(8000).optional(),
    maxOutputTokens: z.number().int().min(256).optional(),
  })
  .refine(({ input, output }) => (input === undefined) === (output === undefined))
  .refine(({ input, above }) => above === undefined || input !== undefined)

/** Model facts by model ID. Prices are in US dollars per million tokens, and limits in tokens. */
export type ModelFacts = Readonly<Record<string, z.infer<typeof Model>>>

/** JSON keyed by model ID. See docs/providers.md. */
export const modelFacts = z.string().transform((text, context): ModelFacts => {
  const message =
    'must be JSON, for example {"my-model":{"input":2,"output":10,"cacheRead":0.2,"cacheWrite":2.5,"contextTokens":200000,"maxOutputTokens":8000}}'
  try {
    return z.record(z.string().min(1), Model).parse(JSON.parse(text))
  } catch {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
})

/**
 * Merges the configured prices into the default price list. Prices for cached tokens default to the
 * input price.
 */
export function toPrices(facts: ModelFacts): PriceTable {
  const configured = Object.entries(facts).flatMap(([model, fact]): [string, ModelPrice][] => {
    const { input, output, above } = fact
    if (input === undefined || output === undefined) return []
    const price = toPrice({ ...fact, input, output })
    return [
      [
        model,
        above === undefined ? price : { ...price, above: { ...toPrice(above), promptTokens: above.promptTokens } },
      ],
    ]
  })
  return { ...DEFAULT_PRICES, ...Object.fromEntries(configured) }
}

interface SaidPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

function toPrice({ input, output, cacheRead = input, cacheWrite = input }: SaidPrice): TokenPrice {
  return { input, output, cacheRead, cacheWrite }
}

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
