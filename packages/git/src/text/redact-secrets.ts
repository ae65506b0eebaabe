const REDACTED = '[redacted]'

/**
 * Patterns for credentials with a recognizable format. Every pattern takes time linear in the text
 * length. GitHub App tokens have had no fixed length since April 2026 (`ghs_<app id>_<jwt>`), so
 * lengths are minimums.
 */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/g,
  /cgj_[0-9A-Za-z]{12}_[0-9a-z]{26}_[0-9]{10}_[0-9a-f]{64}/g,
  /github_pat_[0-9A-Za-z_]{20,}/g,
  /gh[pousr]_[0-9A-Za-z_-]{16,}(?:\.[0-9A-Za-z_-]+)*/g,
  /glpat-[0-9A-Za-z_-]{20,}/g,
  /sk-ant-[0-9A-Za-z_-]{16,}/g,
  /(?<![0-9A-Za-z_-])sk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]{0,200}[0-9])[0-9A-Za-z_-]{20,}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{16,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/g,
  /\bxapp-[0-9]-[0-9A-Za-z-]{10,}/g,
  /\bnpm_[0-9A-Za-z]{36}\b/g,
  /\bwhsec_[0-9A-Za-z+/=]{24,}/g,
  /(?<![0-9A-Za-z_-])eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}/g,
]

/** Matches `scheme://user:password@`, to redact the credentials and keep the rest of the URL. */
const USERINFO = /(\b[a-z][a-z0-9+.-]{1,15}:\/\/)[^\s/?#@]{1,512}@/gi

/** Authorization header values. */
const AUTHORIZATION = /\b(authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)\s{1,3})[^\s"',;]{6,}/gi

const SHORTEST_SECRET = 6

/**
 * Replaces text that looks like a credential, and every occurrence of `knownSecrets`, with
 * `[redacted]`. The known secrets are this process's tokens and keys. Values shorter than 6
 * characters are ignored. Idempotent, because the output contains no matches.
 */
export function redactSecrets(text: string, knownSecrets: readonly string[] = []): string {
  let clean = text
  for (const knownSecret of [...knownSecrets].sort((a, b) => b.length - a.length)) {
    if (knownSecret.length < SHORTEST_SECRET) continue
    for (const form of new Set([knownSecret, encodeSafely(knownSecret)])) clean = clean.replaceAll(form, REDACTED)
  }
  for (const pattern of PATTERNS) clean = clean.replace(pattern, REDACTED)
  return clean.replace(USERINFO, `$1${REDACTED}@`).replace(AUTHORIZATION, `$1${REDACTED}`)
}

function encodeSafely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text
}
