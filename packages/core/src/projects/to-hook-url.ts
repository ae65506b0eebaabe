import { isLoopback } from './repository-url.ts'

/**
 * Checks a deploy hook's URL: https anywhere public, and plain http or private addresses only for hosts the operator allowed.
 * @param allowedHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 * @throws Error that says what to change
 */
export function toHookUrl(text: string, allowedHosts: readonly string[]): string {
  if (!URL.canParse(text)) throw new Error('The deploy hook must be a URL such as https://example.com/hooks/deploy.')
  const url = new URL(text)
  if (url.username || url.password) throw new Error('The deploy hook must not contain a user name or password.')
  if (allowedHosts.includes(url.host) && /^https?:$/.test(url.protocol)) return url.href
  if (url.protocol !== 'https:') throw new Error('The deploy hook must start with https://.')
  if (isLoopback(url.hostname)) throw new Error(`To call ${url.host}, add it to ALLOWED_HOOK_HOSTS.`)
  return url.href
}
