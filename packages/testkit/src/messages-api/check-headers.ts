import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '@corrigenda/demo/messages-api'

const versions = ['2023-06-01', '2026-10-21']

/**
 * Rejects a missing or unknown `anthropic-version`, and all betas, which this server does not
 * support.
 */
export function checkHeaders(headers: IncomingHttpHeaders): void {
  const version = headers['anthropic-version']
  if (typeof version !== 'string' || version === '') refuse('anthropic-version: header is required')
  if (!versions.includes(version)) refuse(`anthropic-version: "${version}" is not a valid version`)
  const beta = headers['anthropic-beta']
  if (beta) refuse(`Unexpected value(s) \`${String(beta)}\` for the \`anthropic-beta\` header`)
}
