import type { Random } from '../../chaos/plan/random.ts'

/** Short texts that could break a parser, a log line, a page or a terminal. */
const TEXTS: readonly string[] = [
  '","projectId":"","level":"fatal","msg":"',
  '{"level":"error","time":"2026-01-01T00:00:00.000Z"}',
  '\\","jobId":"\\',
  "'; DROP TABLE jobs; --",
  '%',
  '%%',
  '_',
  '\\',
  '\\%',
  '*',
  '(?:a+)+$',
  '[',
  '{{constructor}}',
  '#{7*7}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '../../etc/passwd',
  '..%2f..%2f',
  'file:///etc/passwd',
  '\u202e\u2066reversed\u2069',
  '\u200b\u200c\u200d\ufeff',
  '\ud800',
  '\u0000',
  '\r\nset-cookie: a=b',
  '\u001b[2J\u001b[31m',
  'ﷺ',
  '𝕏',
  '🏳️‍🌈',
  'e\u0301',
  'İı',
  'ß',
  '[redacted]',
  'Bearer aaaaaaaaaaaaaaaaaaaaaaaa',
  'https://user:password@example.com/',
]

/** Returns a hostile text with at most `max` UTF-16 code units. */
export function hostileText(random: Random, max: number): string {
  const part = random.pick(TEXTS)
  const text = random.chance(0.3) ? part.repeat(Math.max(1, Math.floor(max / part.length))) : part
  return text.slice(0, max)
}

/** Returns a value that does not belong into any field. */
export const hostileValue = (random: Random): unknown =>
  random.pick<unknown>([null, true, -1, 1e308, '', [], {}, [[[[]]]], { a: { b: { c: {} } } }, hostileText(random, 200)])

/** Texts of log lines and responses. A stored token with such a text must redact nothing. */
export function toCraftedTokens(input: {
  readonly projectId: string
  readonly jobId: string
  readonly webhookId: string
  readonly repositoryUrl: string
  readonly word: string
}): readonly string[] {
  const { projectId, jobId, webhookId, repositoryUrl, word } = input
  return [
    projectId,
    jobId,
    webhookId,
    repositoryUrl,
    word,
    `"projectId":"${projectId}"`,
    `projectId":"${projectId.slice(0, 12)}`,
    `"jobId":"${jobId}",`,
    `{"level":"info","time":"2`,
    `"level":"info","time":`,
    '"name":"worker","runId"',
    '"msg":"run_claimed"}',
    'corrigenda/job_0000000',
    `corrigenda/${jobId}`,
    '"status":200,"ms":1,"msg"',
    '/v2/agent/:projectId/job',
    `/v1/project/${projectId}`,
    'application/json;charset',
    '{"type":"job.completed"',
    'cgd_000000000000_00000000000000000000000000000000000000',
    `ghp_${'0'.repeat(36)}`,
    `${'a'.repeat(20)}`,
    `${'\\"'.repeat(20)}`,
    `${'.*'.repeat(20)}`,
  ].filter((token) => token.length >= 20)
}
