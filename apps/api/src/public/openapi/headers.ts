import type { Header, Parameter } from './openapi.ts'

/** Response headers, as components of the OpenAPI document. */
export const RESPONSE_HEADERS = {
  'x-request-id': {
    description:
      'Id of this request: the id that you sent if it is safe to log, otherwise a new one. Include it in problem reports.',
    required: true,
    schema: { type: 'string' },
    example: '0b8d9a44-6c1f-4f0e-9f0a-3a3f6f6c2a11',
  },
  etag: {
    description: 'Changes whenever the record changes. Send it as If-None-Match.',
    required: true,
    schema: { type: 'string' },
    example: '"Zk3y8mT1u0bq5mJrW2hQxA"',
  },
  'retry-after': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
    example: 1800,
  },
  'ratelimit-policy': {
    description:
      'The limit and its window in seconds (draft-ietf-httpapi-ratelimit-headers): `q` requests in any `w` seconds.',
    schema: { type: 'string' },
    example: '"create";q=100;w=3600',
  },
  ratelimit: {
    description: 'The remaining quota: `r` requests, and `t` seconds until more become available.',
    schema: { type: 'string' },
    example: '"create";r=99;t=3600',
  },
  'idempotent-replayed': {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  'x-job-id': {
    description: 'With `duplicate_job`: the id of the active job with the same prompt.',
    schema: { type: 'string' },
    example: 'job_01kgs3v2n8q4r6t8w0y2a4c6e8',
  },
  'x-session-id': {
    description: 'The id of the job.',
    required: true,
    schema: { type: 'string' },
    example: 'job_01kgs3v2n8q4r6t8w0y2a4c6e8',
  },
  'x-branch-name': {
    description:
      "The agent's branch. It can differ from the requested name. Characters other than ASCII are percent-encoded.",
    required: true,
    schema: { type: 'string' },
    example: 'corrigenda/update-docs',
  },
  'www-authenticate': {
    description: 'The required authentication scheme.',
    required: true,
    schema: { const: 'Bearer' },
  },
} satisfies Record<string, Header>

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS

/** Request headers that an operation can declare. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Makes the request safe to repeat. For 24 hours, a request with the same key and body returns the first response again, byte for byte, and uses no quota. 1 to 255 printable ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~][ -~]{0,254}$' },
  },
  'If-None-Match': {
    description:
      'The ETag of the state that you have. If the state has not changed, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description:
      'For a stream: the `seq` of the last event that you received. The stream continues with the next event.',
    schema: { type: 'string', pattern: '^\\d{1,10}$' },
  },
} satisfies Record<string, Pick<Parameter, 'description' | 'schema'>>

export type RequestHeaderName = keyof typeof REQUEST_HEADERS
