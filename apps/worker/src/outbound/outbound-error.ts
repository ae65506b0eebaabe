/** Reason why an outbound request did not receive a response. */
export type OutboundErrorCode =
  /** The URL is invalid, contains credentials, or is neither https nor http to an allowed host. */
  | 'bad_url'
  /** The host is, or resolves to, an address that is neither public nor allowed. */
  | 'address_refused'
  | 'name_not_found'
  | 'connection'
  | 'tls'
  | 'timeout'
  /** The caller's signal aborted. */
  | 'aborted'

/**
 * Error for an outbound request that did not receive a response. The message names only the host,
 * because the rest of the URL may contain secrets.
 */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
  ) {
    super(message)
    this.name = 'OutboundError'
  }
}
