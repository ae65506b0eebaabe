import { createHash } from 'node:crypto'
import { estimateTokens } from './estimate-tokens.ts'
import { type CacheControl, type MessagesRequest, toBlocks } from './messages-request.ts'
import { toBareJson } from './sign-thinking.ts'

const lookback = 20
const lifetimes = { '5m': 300_000, '1h': 3_600_000 }
const purgeAbove = 5_000

/** Expiry times in epoch milliseconds, keyed by prefix hash. */
export type PromptCache = Map<string, number>

/** Servers without a cache return `input_tokens` only. */
export interface InputUsage {
  input_tokens: number
  cache_creation_input_tokens?: number
  cache_read_input_tokens?: number
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number }
}

interface Part {
  hash: string
  characters: number
}
interface Mark {
  index: number
  ttl: '5m' | '1h'
}

/**
 * Computes the input usage of a request against a simulated prompt cache. Prefixes are cached at
 * cache breakpoints, and looked up at each breakpoint and at up to 20 blocks before it. Reading an
 * entry renews it. Tokens are estimated.
 * @param minTokens prefixes shorter than this are not cached, as on the real API
 */
export function meterUsage(cache: PromptCache, request: MessagesRequest, minTokens: number, now: number): InputUsage {
  const { parts, marks } = splitPrompt(request)
  const total = parts.at(-1)?.characters ?? 0
  const usable = marks.filter((mark) => estimateTokens(parts[mark.index]?.characters ?? 0) >= minTokens)
  const read = Math.max(0, ...usable.map((mark) => findCached(cache, parts, mark, now)))
  let written = read
  const created = { '5m': 0, '1h': 0 }
  for (const mark of usable) {
    const part = parts[mark.index]
    if (!part) continue
    if (part.characters > written) {
      created[mark.ttl] += part.characters - written
      written = part.characters
    }
    cache.set(part.hash, now + lifetimes[mark.ttl])
  }
  purgeExpired(cache, now)
  return {
    input_tokens: estimateTokens(total - written),
    cache_creation_input_tokens: estimateTokens(created['5m']) + estimateTokens(created['1h']),
    cache_read_input_tokens: estimateTokens(read),
    cache_creation: {
      ephemeral_5m_input_tokens: estimateTokens(created['5m']),
      ephemeral_1h_input_tokens: estimateTokens(created['1h']),
    },
  }
}

function findCached(cache: PromptCache, parts: Part[], mark: Mark, now: number): number {
  for (let index = mark.index; index >= Math.max(0, mark.index - lookback); index -= 1) {
    const part = parts[index]
    if (part && (cache.get(part.hash) ?? 0) > now) {
      cache.set(part.hash, now + lifetimes[mark.ttl])
      return part.characters
    }
  }
  return 0
}

function splitPrompt(request: MessagesRequest): { parts: Part[]; marks: Mark[] } {
  const running = createHash('sha256').update(request.model)
  const parts: Part[] = []
  const marks: Mark[] = []
  let characters = 0
  const addMark = (mark: CacheControl | null | undefined) => {
    if (mark && parts.length > 0) marks.push({ index: parts.length - 1, ttl: mark.ttl ?? '5m' })
  }
  const add = (value: unknown, mark: CacheControl | null | undefined) => {
    const json = toBareJson(value)
    running.update(json)
    characters += json.length
    parts.push({ hash: running.copy().digest('hex'), characters })
    addMark(mark)
  }
  for (const tool of request.tools ?? []) add(tool, tool.cache_control)
  const { system = [] } = request
  for (const block of typeof system === 'string' ? [{ type: 'text' as const, text: system }] : system) {
    add(block, 'cache_control' in block ? block.cache_control : null)
  }
  for (const message of request.messages) {
    for (const block of toBlocks(message.content)) {
      add([message.role, block], (block as { cache_control?: CacheControl | null }).cache_control)
    }
  }
  addMark(request.cache_control)
  return { parts, marks }
}

function purgeExpired(cache: PromptCache, now: number): void {
  if (cache.size <= purgeAbove) return
  for (const [hash, expiry] of cache) if (expiry <= now) cache.delete(hash)
}
