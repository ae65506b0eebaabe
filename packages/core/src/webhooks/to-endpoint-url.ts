import { AppError } from '../base/errors.ts'
import { toHookUrl } from '../hook-addresses/to-hook-url.ts'

/**
 * Validates the URL of an endpoint under the rules for deploy hooks and returns its stored form.
 * @param allowedHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 * @throws AppError `invalid_request` that states the required change
 */
export function toEndpointUrl(text: string, allowedHosts: readonly string[]): string {
  try {
    return toHookUrl(text, allowedHosts, 'The webhook URL')
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : 'The URL is invalid.')
  }
}
