/** Why a request of ours got no answer. */
export type OutboundErrorCode =
  /** The URL is none we call: not https (or http to an allowed host), credentials in it, not a URL. */
  | 'bad_url'
  /** The host is, or leads to, an address that is not public and not allowed. */
  | 'address_refused'
  | 'name_not_found'
  | 'connection'
  | 'tls'
  | 'timeout'
  /** The caller's signal. */
  | 'aborted'

/** A request to somebody else's server that got no answer. The message names the host and nothing else of the URL, which may hold secrets. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
  ) {
    super(message)
    this.name = 'OutboundError'
  }
}
