import { checkRepositoryPath, toRepositoryAddress } from '@corrigenda/contracts'

export { isLoopback } from '@corrigenda/contracts'

/**
 * Checks a repository URL against the policy and answers its one spelling. Only https (plain http for loopback), only allowed hosts, only
 * paths that the host's adapter serves, never a credential.
 * @param allowedHosts `host` or `host:port`, lower case
 * @throws Error that says what is wrong with it; the message never repeats a credential
 */
export function toRepositoryUrl(text: string, allowedHosts: readonly string[]): string {
  const address = toRepositoryAddress(text)
  if (!allowedHosts.includes(address.host)) {
    throw new Error(
      `Repositories on ${address.host} are not allowed here. Allowed: ${allowedHosts.join(', ')} (ALLOWED_REPOSITORY_HOSTS).`,
    )
  }
  checkRepositoryPath(address)
  return address.url
}
