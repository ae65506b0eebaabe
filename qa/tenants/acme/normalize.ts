import type { Answer } from '../stack/send.ts'
import type { AcmeProject } from './acme.ts'

/** Fields that depend on the time, on the machine, or on what the model cached before. */
const VARYING = new Set([
  'ms',
  'costUsd',
  'resetSeconds',
  'remaining',
  'number',
  'cacheReadTokens',
  'cacheWriteTokens',
  'inputTokens',
  'updatedAt',
  'lastFour',
  'spentUsd',
])

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/corrigenda-script:[\w-]+/g, '<script>'],
  [/\b(prj|job|run|whe|whd|evt|usr|acc|inv|rpt|msg|dep|upd)_[0-9a-z]{26}/g, '<$1>'],
  [/\bwhsec_[\w+/=]+/g, '<secret>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\b[0-9a-f]{40}\b/g, '<commit>'],
  [/\b[0-9a-f]{7,12}\.\.[0-9a-f]{7,12}\b/g, '<blobs>'],
  [/\/pull\/\d+|#\d+\b/g, '<pull>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\btoolu_\w+|\bmsg_\w+/g, '<call>'],
  [/\b\d+(\.\d+)? (ms|s|seconds?|minutes?)\b/g, '<duration>'],
]

/**
 * Returns responses without ids, times and latencies, so that they are equal in a quiet and in a
 * loud run.
 * @param words texts of this round that are replaced by their position
 */
export function normalize(
  project: AcmeProject,
  answers: Readonly<Record<string, unknown>>,
  words: readonly string[],
): unknown {
  const names: (readonly [string, string])[] = [
    ...words.map((word, index) => [word, `<word ${index}>`] as const),
    [project.stack.host.repositoryUrl(project.repository), '<repository>'],
    [project.repository, '<repository name>'],
    // The account's rounds list both projects, sorted by name.
    [project.stack.projects.live.name, '<project>'],
    [project.stack.projects.rest.name, '<project>'],
    [project.stack.receivers.acme.host, '<receiver>'],
  ]
  const toText = (text: string) => {
    // Before the names, because a key contains its id.
    let out = text.replace(/\bcgd_\w+/g, '<key>')
    for (const [from, to] of names) out = out.replaceAll(from, to)
    for (const [pattern, to] of PATTERNS) out = out.replace(pattern, to)
    return out
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return toText(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    if (isAnswer(value)) return walk(toFacts(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, VARYING.has(name) ? '<varies>' : walk(item)]),
    )
  }
  return walk(answers)
}

const isAnswer = (value: object): value is Answer => 'status' in value && 'text' in value && 'headers' in value

/** The parts of a response that a client uses. */
const toFacts = ({ status, headers, json, text }: Answer) => ({
  status,
  code: headers['x-error-code'] ?? null,
  replayed: headers['idempotent-replayed'] ?? null,
  body: json ?? text,
})
