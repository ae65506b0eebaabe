import type { Header, Parameter } from './openapi.ts'

/** Response headers, as components of the document. */
export const RESPONSE_HEADERS = {
  'x-request-id': {
    description: 'Id of this request: your own when you sent a harmless one, else a new one. Name it in reports.',
    required: true,
    schema: { type: 'string' },
    example: '0b8d9a44-6c1f-4f0e-9f0a-3a3f6f6c2a11',
  },
  etag: {
    description: 'Changes with every change of the record. Send it back as If-None-Match.',
    required: true,
    schema: { type: 'string' },
    example: '"Zk3y8mT1u0bq5mJrW2hQxA"',
  },
  'retry-after': {
    description: 'Seconds after which trying again makes sense.',
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
    description: 'What is left: `r` requests, and `t` seconds until there is more.',
    schema: { type: 'string' },
    example: '"create";r=99;t=3600',
  },
  'idempotent-replayed': {
    description: '`true` when this is the stored answer of an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  'x-job-id': {
    description: 'With `duplicate_job`: the job that works on the same prompt.',
    schema: { type: 'string' },
    example: 'job_01kgs3v2n8q4r6t8w0y2a4c6e8',
  },
  'www-authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { const: 'Bearer' },
  },
} satisfies Record<string, Header>

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS

/** Request headers that an operation can name. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, byte for byte, and uses no quota. 1 to 255 printable ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~][ -~]{0,254}$' },
  },
  'If-None-Match': {
    description: 'The ETag of the state you have. 304 without a body when nothing changed.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description: 'For a stream: the `seq` of the last event you have seen. The stream goes on behind it.',
    schema: { type: 'string', pattern: '^\\d{1,10}$' },
  },
} satisfies Record<string, Pick<Parameter, 'description' | 'schema'>>

export type RequestHeaderName = keyof typeof REQUEST_HEADERS
