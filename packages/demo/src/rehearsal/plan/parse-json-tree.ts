/**
 * A JSON value and its position `[start, end)` in the text. `key` is the name of the member that
 * contains the value or its array.
 */
export interface JsonNode {
  start: number
  end: number
  key: string
  value: string | null
  kind: 'string' | 'array' | 'object' | 'other'
  /** Items of an array, or values of an object. */
  children: JsonNode[]
}

/**
 * Parses JSON into a tree with positions.
 * @throws SyntaxError if the text is not JSON
 */
export function parseJsonTree(text: string): JsonNode {
  JSON.parse(text)
  return readValue(text, skipSpace(text, 0), '')
}

/** Yields all nodes, parents first. */
export function* walkJson(node: JsonNode): Generator<JsonNode> {
  yield node
  for (const child of node.children) yield* walkJson(child)
}

// The text is valid JSON here, so the functions below do not validate it.

function readValue(text: string, start: number, key: string): JsonNode {
  const first = text[start]
  if (first === '{') return readObject(text, start, key)
  if (first === '[') return readArray(text, start, key)
  if (first === '"') {
    const end = endOfString(text, start)
    return { start, end, key, value: JSON.parse(text.slice(start, end)) as string, kind: 'string', children: [] }
  }
  const length = /^[^\s,\]}]+/.exec(text.slice(start, start + 400))?.[0].length ?? 0
  return { start, end: start + length, key, value: null, kind: 'other', children: [] }
}

function readArray(text: string, start: number, key: string): JsonNode {
  const children: JsonNode[] = []
  let at = skipSpace(text, start + 1)
  while (text[at] !== ']') {
    const child = readValue(text, at, key)
    children.push(child)
    at = skipComma(text, child.end)
  }
  return { start, end: at + 1, key, value: null, kind: 'array', children }
}

function readObject(text: string, start: number, key: string): JsonNode {
  const children: JsonNode[] = []
  let at = skipSpace(text, start + 1)
  while (text[at] !== '}') {
    const nameEnd = endOfString(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const child = readValue(text, skipSpace(text, text.indexOf(':', nameEnd) + 1), name)
    children.push(child)
    at = skipComma(text, child.end)
  }
  return { start, end: at + 1, key, value: null, kind: 'object', children }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function skipComma(text: string, at: number): number {
  const next = skipSpace(text, at)
  return text[next] === ',' ? skipSpace(text, next + 1) : next
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}
