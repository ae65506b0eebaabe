import { AppError } from '../base/errors.ts'
import type { HookRules } from '../hook-addresses/find-hook-grant.ts'
import { toHookUrl } from '../hook-addresses/to-hook-url.ts'

/**
 * Validates an endpoint URL by the rules for deploy hooks and returns its stored form.
 * @throws AppError `invalid_request` with the reason
 */
export function toEndpointUrl(text: string, rules: HookRules): string {
  try {
    return toHookUrl(text, rules, 'The webhook URL')
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : 'The URL is invalid.')
  }
}
