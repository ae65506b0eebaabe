import { z } from 'zod'

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
