import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@corrigenda/demo/messages-api'

interface SignedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}
export interface SigningKeys {
  id: string
  secret: string
  sessionToken: string | null
  region: string
  service: string
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/**
 * Verifies a request's AWS Signature Version 4 by recomputing it.
 * @throws ApiError 403 that describes the mismatch
 */
export function verifySignature(request: SignedRequest, keys: SigningKeys): void {
  const { headers } = request
  const found = AUTHORIZATION.exec(headers.authorization ?? '')
  if (!found) throw new ApiError(403, 'Missing Authentication Token')
  const [, id, day = '', region = '', service = '', signedHeaders = '', signature = ''] = found
  if (id !== keys.id) throw new ApiError(403, 'The security token included in the request is invalid')
  if (region !== keys.region || service !== keys.service) {
    throw new ApiError(403, `Credential should be scoped to ${keys.region}/${keys.service}, not ${region}/${service}`)
  }
  if ((headers['x-amz-security-token'] ?? null) !== keys.sessionToken) throw new ApiError(403, 'Wrong session token')
  const names = signedHeaders.split(';')
  const date = String(headers['x-amz-date'] ?? '')
  if (!names.includes('host') || !names.includes('x-amz-date') || !date.startsWith(day)) {
    throw new ApiError(403, 'host and x-amz-date must be signed')
  }
  // All services except S3 encode the path a second time.
  const path = request.path.split('/').map(encodeURIComponent).join('/')
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  )
  const canonical = [request.method, path, '', lines.join(''), signedHeaders, sha256(request.body)].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secret}`)
  if (!timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))) {
    throw new ApiError(403, 'The request signature we calculated does not match the signature you provided')
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
