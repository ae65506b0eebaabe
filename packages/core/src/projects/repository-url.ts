import {
  type AllowedHosts,
  checkRepositoryPath,
  findAllowedHost,
  toHostNames,
  toRepositoryAddress,
} from '@corrigenda/contracts'

export { isLoopback } from '@corrigenda/contracts'

/**
 * Validates a repository URL and returns its canonical form. Requires https (or plain http for
 * loopback), an allowed host and a path that the host's adapter supports. Rejects credentials.
 * @throws Error whose message states the problem and never contains a credential
 */
export function toRepositoryUrl(text: string, allowedHosts: AllowedHosts): string {
  const address = toRepositoryAddress(text, allowedHosts)
  if (findAllowedHost(allowedHosts, address.host) === null) {
    throw new Error(
      `Repositories on ${address.host} are not allowed. Allowed hosts: ${toHostNames(allowedHosts).join(', ')} (ALLOWED_REPOSITORY_HOSTS, GIT_HOSTS).`,
    )
  }
  checkRepositoryPath(address)
  return address.url
}
