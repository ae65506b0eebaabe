import type { ApiDocument, Call } from './api-document.ts'
import type { Answer } from './send.ts'

/** Returns the differences between a response and the document. Empty if the response conforms. */
export function checkAnswer(api: ApiDocument, call: Call, answer: Answer): string[] {
  const { status, headers, text } = answer
  const response = api.findResponse(call, status)
  if (!response)
    return [`status ${status} (${headers['x-error-code'] ?? 'no code'}) is not documented: ${text.slice(0, 200)}`]
  const problems: string[] = []
  for (const [name, header] of api.listHeaders(response)) {
    const given = headers[name]
    if (given === undefined) {
      if (header.required) problems.push(`the header ${name} is missing`)
      continue
    }
    const isNumber = header.schema.type === 'integer'
    const validate = api.compile(header.schema)
    if (!validate(isNumber ? Number(given) : given)) problems.push(`the header ${name} has the invalid value ${given}`)
  }
  const documented = new Set(api.listHeaders(response).map(([name]) => name))
  for (const name of ['x-error-code', 'etag', 'retry-after', 'ratelimit', 'idempotent-replayed', 'www-authenticate']) {
    if (headers[name] !== undefined && !documented.has(name)) problems.push(`the header ${name} is not documented`)
  }
  const type = headers['content-type']?.split(';')[0] ?? null
  const content = response.content ?? {}
  if (Object.keys(content).length === 0) {
    if (text !== '') problems.push(`the response has an undocumented body: ${text.slice(0, 100)}`)
    return problems
  }
  const media = type === null ? undefined : content[type]
  if (!media) return [...problems, `the media type ${type} is not documented`]
  if (type === 'application/json') {
    if (headers['content-type'] !== 'application/json; charset=utf-8') problems.push(String(headers['content-type']))
    const validate = api.compile(media.schema)
    if (!validate(JSON.parse(text)))
      problems.push(
        ...(validate.errors ?? []).map(
          (e) => `body${e.instancePath} ${e.message} ${JSON.stringify(e.params)} in ${text.slice(0, 200)}`,
        ),
      )
  }
  return problems
}
