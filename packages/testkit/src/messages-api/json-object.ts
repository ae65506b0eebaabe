import { type JsonObject, refuse } from '@corrigenda/demo/messages-api'

/**
 * Rejects a key that is not in `known`.
 * @param at the object's path, such as `messages.0.content.1`, or '' for the top level
 */
export function refuseExtraKeys(object: JsonObject, known: ReadonlySet<string>, at: string): void {
  for (const key of Object.keys(object)) {
    if (!known.has(key)) refuse(`${at ? `${at}.` : ''}${key}: Extra inputs are not permitted`)
  }
}

export function refuseUnlessOneOf(value: unknown, known: readonly unknown[], at: string): void {
  if (!known.includes(value)) {
    refuse(`${at}: Input should be ${known.filter((one) => one !== undefined).join(', ')}`)
  }
}

export function refuseUnlessBoolean(value: unknown, at: string): void {
  if (value !== undefined && typeof value !== 'boolean') refuse(`${at}: Input should be a valid boolean`)
}
