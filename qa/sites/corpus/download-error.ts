/** Thrown when a package client is missing or fails, for example because there is no network. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
}
