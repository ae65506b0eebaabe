/** Requests with one error each, and the API's corresponding error responses. */

export type Json = Record<string, unknown>
/** A loosely typed request, so that a test can break it. */
export type Loose = Json & {
  tools: (Json & { input_schema: Json & { properties: Json } })[]
  messages: { role: string; content: Json[] }[]
}
type Case = [name: string, mutate: (body: Loose) => void, message: RegExp, error?: [number, string]]

const schemaOf = (body: Loose) => (body.tools[0] as Loose['tools'][number]).input_schema
const answer = (body: Loose) => (body.messages[1] as Loose['messages'][number]).content
export const results = (body: Loose) => (body.messages[2] as Loose['messages'][number]).content
export const mark = { cache_control: { type: 'ephemeral' } }

const fields: Case[] = [
  ['temperature', (b) => Object.assign(b, { temperature: 1 }), /^temperature: Extra inputs/],
  ['top_p', (b) => Object.assign(b, { top_p: 0.9 }), /^top_p: Extra inputs/],
  ['top_k', (b) => Object.assign(b, { top_k: 5 }), /^top_k: Extra inputs/],
  ['an unknown field', (b) => Object.assign(b, { thread: { type: 'disabled' } }), /^thread: Extra inputs/],
  ['no model', (b) => delete b.model, /^model: Field required/],
  ['unknown model', (b) => Object.assign(b, { model: 'gpt-9' }), /^model: gpt-9$/, [404, 'not_found_error']],
  ['no max_tokens', (b) => delete b.max_tokens, /^max_tokens: Field required/],
  ['max_tokens 0', (b) => Object.assign(b, { max_tokens: 0 }), /greater than or equal to 1/],
  ['max_tokens too large', (b) => Object.assign(b, { max_tokens: 128_001, stream: true }), /128001 > 128000/],
  ['fractional max_tokens', (b) => Object.assign(b, { max_tokens: 1.5 }), /valid integer/],
  ['forced tool_choice any', (b) => Object.assign(b, { tool_choice: { type: 'any' } }), /forced tool use \("any"\)/],
  [
    'forced tool_choice tool',
    (b) => Object.assign(b, { tool_choice: { type: 'tool', name: 'view' } }),
    /forced tool use/,
  ],
  ['odd tool_choice', (b) => Object.assign(b, { tool_choice: { type: 'auto', name: 'view' } }), /tool_choice.name/],
  ['thinking budget', (b) => Object.assign(b, { thinking: { type: 'enabled', budget_tokens: 2048 } }), /"enabled" is/],
  ['thinking off', (b) => Object.assign(b, { thinking: { type: 'disabled' } }), /"disabled" is not supported/],
  ['odd thinking', (b) => Object.assign(b, { thinking: { type: 'adaptive', budget_tokens: 1 } }), /budget_tokens: Ext/],
  ['blank system block', (b) => Object.assign(b, { system: [{ type: 'text', text: ' ' }] }), /^system.0: text content/],
  [
    'image in the system prompt',
    (b) => Object.assign(b, { system: [{ type: 'image' }] }),
    /^system.0: Input should be a text/,
  ],
  ['odd effort', (b) => Object.assign(b, { output_config: { effort: 'extreme' } }), /^output_config.effort/],
  ['odd output_config', (b) => Object.assign(b, { output_config: { verbosity: 1 } }), /^output_config.verbosity/],
  ['odd metadata', (b) => Object.assign(b, { metadata: { job: 'x' } }), /^metadata.job: Extra/],
  ['blank stop sequence', (b) => Object.assign(b, { stop_sequences: [' '] }), /^stop_sequences/],
  ['odd service tier', (b) => Object.assign(b, { service_tier: 'batch' }), /^service_tier/],
  [
    'prompt that is too long',
    (b) => results(b).push({ type: 'text', text: 'x'.repeat(50_000) }),
    /^prompt is too long: \d+ tokens > 10000/,
  ],
]

const toolCases: Case[] = [
  ['duplicate names', (b) => b.tools.push(structuredClone(b.tools[0]) as never), /Tool names must be unique/],
  ['bad name', (b) => Object.assign(b.tools[0] ?? {}, { name: 'read file' }), /should match pattern/],
  ['no schema', (b) => delete (b.tools[1] as Partial<Loose['tools'][number]>).input_schema, /input_schema: Field req/],
  ['no schema type', (b) => delete schemaOf(b).type, /input_schema.type: Field required/],
  ['array schema', (b) => Object.assign(schemaOf(b), { type: 'array' }), /Input should be 'object'/],
  ['odd tool field', (b) => Object.assign(b.tools[0] ?? {}, { run: 'x' }), /^tools.0.custom.run: Extra/],
  ['built-in tool', (b) => b.tools.push({ type: 'bash_20250124', name: 'bash' } as never), /not available/],
  [
    'strict schema with additional properties',
    (b) => delete schemaOf(b).additionalProperties,
    /must be explicitly set to false/,
  ],
  ['minLength', (b) => Object.assign(schemaOf(b).properties, { path: { type: 'string', minLength: 1 } }), /minLength/],
  ['minimum', (b) => Object.assign(schemaOf(b).properties, { n: { type: 'integer', minimum: 1 } }), /'minimum' is not/],
  ['oneOf', (b) => Object.assign(schemaOf(b).properties, { n: { oneOf: [] } }), /'oneOf' is not supported/],
  ['minItems 2', (b) => Object.assign(schemaOf(b).properties, { n: { type: 'array', minItems: 2 } }), /'minItems' val/],
  [
    'lookahead',
    (b) => Object.assign(schemaOf(b).properties, { n: { type: 'string', pattern: '(?=a)' } }),
    /lookaround/,
  ],
  [
    'odd format',
    (b) => Object.assign(schemaOf(b).properties, { n: { type: 'string', format: 'path' } }),
    /format 'path'/,
  ],
  ['objects in enum', (b) => Object.assign(schemaOf(b).properties, { n: { enum: [{}] } }), /enum: only strings/],
  [
    'external $ref',
    (b) => Object.assign(schemaOf(b).properties, { n: { $ref: 'https://example.com/a' } }),
    /\$ref: only/,
  ],
  ['unknown required', (b) => Object.assign(schemaOf(b), { required: ['file'] }), /'file' is not a property/],
  [
    'nested object with additional properties',
    (b) => Object.assign(schemaOf(b).properties, { n: { anyOf: [{ type: 'object' }] } }),
    /anyOf.0/,
  ],
  [
    '25 optional properties',
    (b) => Object.assign(schemaOf(b).properties, manyProperties(25, 'string')),
    /optional parameters \(25\)/,
  ],
  ['17 unions', (b) => addRequired(b, manyProperties(16, ['string', 'null'])), /union types \(17; limit: 16\)/],
  ['21 strict tools', (b) => b.tools.push(...manyTools(20)), /too many strict tools \(21; limit: 20\)/],
]

const messageCases: Case[] = [
  ['no messages', (b) => Object.assign(b, { messages: [] }), /at least one message/],
  ['assistant first', (b) => b.messages.shift(), /first message must use the "user" role/],
  ['system role', (b) => Object.assign(b.messages[0] ?? {}, { role: 'system' }), /'user' or 'assistant'/],
  ['extra message field', (b) => Object.assign(b.messages[0] ?? {}, { id: 1 }), /^messages.0.id: Extra/],
  ['prefill', (b) => b.messages.push({ role: 'assistant', content: [{ type: 'text', text: 'So' }] }), /prefill/],
  [
    'two assistant messages in a row',
    (b) => b.messages.splice(1, 1, said('a'), said('b')),
    /may follow another assistant/,
  ],
  ['empty content', (b) => Object.assign(b.messages[0] ?? {}, { content: [] }), /must have non-empty content/],
  ['empty string', (b) => Object.assign(b.messages[0] ?? {}, { content: '' }), /must have non-empty content/],
  ['blank string', (b) => Object.assign(b.messages[0] ?? {}, { content: ' \n' }), /non-whitespace/],
  ['empty text', (b) => b.messages[0]?.content.push({ type: 'text', text: '' }), /blocks must be non-empty/],
  ['blank text', (b) => b.messages[0]?.content.push({ type: 'text', text: ' \n' }), /must contain non-whitespace/],
  ['unknown block', (b) => b.messages[0]?.content.push({ type: 'video' }), /Input tag 'video'/],
  ['extra block field', (b) => Object.assign(answer(b)[1] ?? {}, { parsed_output: 1 }), /parsed_output: Extra/],
  [
    'call in a user message',
    (b) => results(b).push({ type: 'tool_use', id: 'a', name: 'b', input: {} }),
    /only be in `ass/,
  ],
  [
    'result in an assistant message',
    (b) => answer(b).push({ type: 'tool_result', tool_use_id: 'a' }),
    /only be in `user`/,
  ],
  ['call without id', (b) => Object.assign(answer(b)[2] ?? {}, { id: 'no id' }), /tool_use.id: String should/],
  ['string as input', (b) => Object.assign(answer(b)[2] ?? {}, { input: '{}' }), /valid dictionary/],
  ['duplicate call ids', (b) => Object.assign(answer(b)[3] ?? {}, { id: answer(b)[2]?.id }), /ids must be unique/],
  ['missing result', (b) => results(b).pop(), /were found without `tool_result` blocks immediately after: toolu_/],
  ['missing results', (b) => Object.assign(b.messages[2] ?? {}, said('Go on.', 'user')), /^messages.1: `tool_use`/],
  ['results too late', (b) => b.messages.splice(2, 0, said('Wait.', 'user')), /immediately after/],
  ['unknown result id', (b) => results(b).push({ type: 'tool_result', tool_use_id: 'toolu_x' }), /unexpected `tool_u/],
  ['a duplicate result', (b) => results(b).push({ ...results(b)[0] }), /must have a single result/],
  ['text before results', (b) => results(b).unshift({ type: 'text', text: 'Here.' }), /must come before any other/],
  ['text between results', (b) => results(b).splice(1, 0, { type: 'text', text: 'Here.' }), /must come before any/],
  ['empty error', (b) => Object.assign(results(b)[0] ?? {}, { is_error: true, content: '' }), /cannot be empty if/],
  ['empty error list', (b) => Object.assign(results(b)[0] ?? {}, { is_error: true, content: [] }), /cannot be empty/],
  ['error that is not a boolean', (b) => Object.assign(results(b)[0] ?? {}, { is_error: 'yes' }), /valid boolean/],
  [
    'empty text in result',
    (b) => Object.assign(results(b)[0] ?? {}, { content: [{ type: 'text', text: '' }] }),
    /non-em/,
  ],
  ['calls without tools', (b) => delete (b as Partial<Loose>).tools, /must define tools/],
]

const malformed: Case[] = [
  ['system', (b) => Object.assign(b, { system: 1 }), /^system: Input should be a valid string or list/],
  ['thinking', (b) => Object.assign(b, { thinking: 'on' }), /^thinking: Input should be a valid dict/],
  ['tool_choice', (b) => Object.assign(b, { tool_choice: 'auto' }), /^tool_choice: Input should be a valid dict/],
  [
    'choice without tools',
    (b) => Object.assign(b, { tools: [], tool_choice: { type: 'none' } }),
    /while providing tools/,
  ],
  ['output_config', (b) => Object.assign(b, { output_config: 'low' }), /^output_config: Input/],
  ['output format', (b) => Object.assign(b, { output_config: { format: {} } }), /^output_config.format: structured/],
  ['container', (b) => Object.assign(b, { container: 'c' }), /^container: server tools/],
  ['metadata', (b) => Object.assign(b, { metadata: 'u' }), /^metadata: Input/],
  ['diagnostics', (b) => Object.assign(b, { diagnostics: 'on' }), /^diagnostics: Input/],
  ['stop_sequences', (b) => Object.assign(b, { stop_sequences: [1] }), /^stop_sequences: Input should be a valid list/],
  ['no messages field', (b) => delete (b as Partial<Loose>).messages, /^messages: Field required/],
  ['string as messages', (b) => Object.assign(b, { messages: 'Hi' }), /^messages: Input should be a valid list/],
  ['too many messages', (b) => Object.assign(b, { messages: Array(100_001).fill(0) }), /at most 100000 messages/],
  ['string as message', (b) => Object.assign(b, { messages: ['Hi'] }), /^messages.0: Input should be a valid dict/],
  ['no content', (b) => delete (b.messages[0] as Json).content, /^messages.0.content: Field required/],
  ['number as content', (b) => Object.assign(b.messages[0] ?? {}, { content: 5 }), /^messages.0.content: Input should/],
  ['string as block', (b) => b.messages[0]?.content.push('Hi' as never), /^messages.0.content.1: Input should/],
  ['text without text', (b) => delete b.messages[0]?.content[0]?.text, /text.text: Field required/],
  ['call without name', (b) => delete answer(b)[2]?.name, /tool_use.name: String should match/],
  ['result without id', (b) => delete results(b)[0]?.tool_use_id, /tool_use_id: Field required/],
  ['number as result', (b) => Object.assign(results(b)[0] ?? {}, { content: 5 }), /tool_result.content: Input should/],
  [
    'call in a result',
    (b) => Object.assign(results(b)[0] ?? {}, { content: [{ type: 'tool_use' }] }),
    /Input tag does not/,
  ],
  ['thinking without text', (b) => delete answer(b)[0]?.thinking, /thinking.thinking: Field required/],
  ['thinking without signature', (b) => delete answer(b)[0]?.signature, /thinking.signature: Field required/],
  ['tools', (b) => Object.assign(b, { tools: 'all' }), /^tools: Input should be a valid list/],
  ['string as tool', (b) => b.tools.push('view' as never), /^tools.2: Input should be a valid dict/],
  ['tool description', (b) => Object.assign(b.tools[0] ?? {}, { description: 5 }), /description: Input should be/],
  ['strict property', (b) => Object.assign(schemaOf(b).properties, { path: true }), /properties.path: Input should/],
]

const cacheCases: Case[] = [
  [
    'five breakpoints',
    (b) => Object.assign(b, { ...mark, system: Array(4).fill({ type: 'text', text: 'a', ...mark }) }),
    /Found 5/,
  ],
  ['a breakpoint on thinking', (b) => Object.assign(answer(b)[0] ?? {}, mark), /cannot be set on thinking/],
  ['unknown breakpoint type', (b) => Object.assign(b, { cache_control: { type: 'forever' } }), /should be "ephemeral"/],
  ['odd ttl', (b) => Object.assign(b, { cache_control: { type: 'ephemeral', ttl: '2h' } }), /"5m" or "1h"/],
  ['1h after 5m', (b) => shortThenLong(b), /must not come after/],
]

const thinkingCases: Case[] = [
  ['thinking dropped', (b) => answer(b).shift(), /Expected `thinking` or `redacted_thinking`, but found `text`/],
  ['thinking not first', (b) => answer(b).reverse(), /Expected `thinking`/],
  ['thinking changed', (b) => Object.assign(answer(b)[0] ?? {}, { thinking: 'Hm.' }), /Invalid `signature`/],
  ['signature changed', (b) => Object.assign(answer(b)[0] ?? {}, { signature: 'sig' }), /Invalid `signature`/],
  ['redacted', (b) => answer(b).unshift({ type: 'redacted_thinking', data: 'x' }), /Invalid `data`/],
  ['system changed', (b) => Object.assign(b, { system: 'Turn 2 of 40.' }), /Invalid `signature`/],
  ['tool dropped', (b) => b.tools.pop(), /Invalid `signature`/],
  ['tool reworded', (b) => Object.assign(b.tools[0] ?? {}, { description: 'Read.' }), /Invalid `signature`/],
  ['keys reordered', (b) => b.tools.splice(0, 1, reverseKeys(b.tools[0] ?? {}) as never), /Invalid `signature`/],
  ['prompt reworded', (b) => Object.assign(b.messages[0] ?? {}, { content: 'Look.' }), /Invalid `signature`/],
  ['message inserted', (b) => b.messages.splice(1, 0, said('And.', 'user')), /^messages.2.content.0: Invalid `sig/],
  ['other model', (b) => Object.assign(b, { model: 'claude-opus-5-5' }), /Invalid `signature`/],
]

/** Refusal cases, grouped by subject. */
export const refusalCases: [subject: string, cases: Case[]][] = [
  ['fields', fields],
  ['tools', toolCases],
  ['messages', messageCases],
  ['malformed fields', malformed],
  ['cache breakpoints', cacheCases],
  ['thinking', thinkingCases],
]

function said(text: string, role = 'assistant'): Loose['messages'][number] {
  return { role, content: [{ type: 'text', text }] }
}

function reverseKeys(object: Json): Json {
  return Object.fromEntries(Object.entries(object).reverse())
}

function manyProperties(count: number, type: string | string[]): Json {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type }]))
}

function addRequired(body: Loose, properties: Json): void {
  Object.assign(schemaOf(body).properties, properties)
  ;(schemaOf(body).required as string[]).push(...Object.keys(properties))
}

function manyTools(count: number): Loose['tools'] {
  const input_schema = { type: 'object', properties: {}, additionalProperties: false }
  return Array.from({ length: count }, (_, index) => ({ name: `t${index}`, strict: true, input_schema }))
}

function shortThenLong(body: Loose): void {
  Object.assign(body.tools[0] ?? {}, mark)
  Object.assign(body.messages[0]?.content[0] ?? {}, { cache_control: { type: 'ephemeral', ttl: '1h' } })
}
