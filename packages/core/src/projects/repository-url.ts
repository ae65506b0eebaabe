import { checkRepositoryPath, toRepositoryAddress } from '@corrigenda/contracts'

export { isLoopback } from '@corrigenda/contracts'

/**
 * Validates a repository URL and returns its canonical form. Requires https (or plain http for
 * loopback), an allowed host and a path that the host's adapter supports. Rejects credentials.
 * @param allowedHosts `host` or `host:port`, in lowercase
 * @throws Error whose message states the problem and never contains a credential
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
