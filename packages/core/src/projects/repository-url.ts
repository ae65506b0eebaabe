import { checkRepositoryPath, toRepositoryAddress } from '@corrigenda/contracts'

export { isLoopback } from '@corrigenda/contracts'

/**
 * Validates a repository URL and returns its canonical form. Only https (plain http for loopback),
 * only allowed hosts, only paths that the host's adapter supports, never with a credential.
 * @param allowedHosts `host` or `host:port`, lower case
 * @throws Error that states the problem; the message never contains a credential
 */
export function toRepositoryUrl(text: string, allowedHosts: readonly string[]): string {
  const address = toRepositoryAddress(text)
  if (!allowedHosts.includes(address.host)) {
    throw new Error(
      `Repositories on ${address.host} are not allowed. Allowed hosts: ${allowedHosts.join(', ')} (ALLOWED_REPOSITORY_HOSTS).`,
    )
  }
  checkRepositoryPath(address)
  return address.url
}
