import { AppError } from '../base/errors.ts'
import { toHookUrl } from '../hook-addresses/to-hook-url.ts'

/**
 * Validates an endpoint URL by the rules for deploy hooks and returns its stored form.
 * @param allowedHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 * @throws AppError `invalid_request` with the reason
 */
export function toEndpointUrl(text: string, allowedHosts: readonly string[]): string {
  try {
    return toHookUrl(text, allowedHosts, 'The webhook URL')
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : 'The URL is invalid.')
  }
}
