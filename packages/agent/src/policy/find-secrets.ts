import { squeeze, toCredentialForms } from '@corrigenda/git/text'
import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { toViews } from '../text/to-views.ts'
import type { PolicyViolation } from './check-policy.ts'
import { toAddedLines } from './to-added-lines.ts'

interface FindSecretsInput {
  readonly changes: readonly WorkspaceChange[]
  readonly title: string | null
  readonly body: string
  /**
   * This installation's credentials. Text that contains any of them is a leak, regardless of their
   * format.
   */
  readonly knownSecrets: readonly string[]
}

const PATTERNS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'a job token of this service', pattern: /\bcgj_[A-Za-z0-9]{12}_[0-9a-z]{26}_[0-9]{10}_[0-9a-f]{64}\b/g },
  { name: 'an API key for this service', pattern: /\bcgd_[A-Za-z0-9]{12}_[A-Za-z0-9]{38}\b/g },
  { name: 'a GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9_.-]{36,}/g },
  { name: 'a GitHub token', pattern: /\bgithub_pat_[A-Za-z0-9_]{50,}/g },
  { name: 'a model API key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { name: 'a GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { name: 'a Stripe key', pattern: /\b[rs]k_live_[A-Za-z0-9]{20,}/g },
  { name: 'a Slack token', pattern: /\bxox[abeoprs]-\d{8,}-[A-Za-z0-9-]{20,}/g },
  { name: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'a SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g },
  { name: 'an OpenAI key', pattern: /\bsk-proj-[A-Za-z0-9_-]{40,}/g },
  { name: 'a JSON Web Token', pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{20,}/g },
  { name: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
]

const KEY_HEADER = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/
const KEY_BODY = /^\s*[A-Za-z0-9+/=]{40,}\s*$/

/**
 * Finds credentials that a change or its description would publish, in the form that a reader sees
 * and in encoded text. Ignores placeholders and values that the changed files already contained.
 */
export function findSecrets(input: FindSecretsInput): PolicyViolation[] {
  const known = findKnown(input.changes)
  const knownSecrets = input.knownSecrets.filter((value) => value.length >= 8)
  const forms = knownSecrets.flatMap(toCredentialForms)
  const holds = (text: string) => {
    if (knownSecrets.some((value) => text.includes(value))) return true
    const plain = squeeze(text)
    return forms.some((form) => plain.includes(form))
  }
  const violations = new Map<string, PolicyViolation>()
  const report = (path: string | null, where: string, name: string) => {
    const message = `${where} contains what looks like ${name}.`
    violations.set(message, { code: 'secret_in_change', path, message })
  }
  const byPath = new Map<string, { text: string; line: number }[]>()
  for (const { path, text, line } of toAddedLines(input.changes)) {
    const lines = byPath.get(path) ?? []
    lines.push({ text, line })
    byPath.set(path, lines)
  }
  for (const [path, lines] of byPath) {
    for (const view of listViews(lines)) {
      for (const [index, { text, line }] of view.entries()) {
        const where = `Line ${line} of ${JSON.stringify(path)}`
        for (const name of findIn(text, known)) report(path, where, name)
        const next = view[index + 1]
        if (KEY_HEADER.test(text) && next !== undefined && KEY_BODY.test(next.text))
          report(path, where, 'a private key')
      }
    }
  }
  for (const { path, before, after } of input.changes) {
    if (holds(toUtf8(after)) && !holds(toUtf8(before))) {
      report(path, JSON.stringify(path), "one of this installation's credentials")
    }
    if (holds(path)) {
      const message = 'A file name contains a credential.'
      violations.set(message, { code: 'secret_in_change', path: null, message })
    }
  }
  for (const [where, text] of [
    ['The title', input.title ?? ''],
    ['The description', input.body],
  ] as const) {
    for (const { text: line } of listViews(toTextLines(text)).flat()) {
      for (const name of findIn(line, known)) report(null, where, name)
      if (KEY_HEADER.test(line)) report(null, where, 'a private key')
    }
    if (holds(text)) report(null, where, "one of this installation's credentials")
  }
  return [...violations.values()]
}

const listViews = (lines: readonly { text: string; line: number }[]) =>
  toViews(lines.map((line) => ({ ...line, isRow: false, isEncoded: false }))).all

const toTextLines = (text: string) => text.split('\n').map((line, index) => ({ text: line, line: index + 1 }))

/** Returns the apparent credentials that the changed files already contain. */
function findKnown(changes: readonly WorkspaceChange[]): ReadonlySet<string> {
  const known = new Set<string>()
  for (const { before } of changes) {
    for (const { text } of listViews(toTextLines(toUtf8(before))).flat()) {
      for (const { pattern } of PATTERNS) for (const [value] of text.matchAll(pattern)) known.add(value)
    }
  }
  return known
}

function findIn(text: string, known: ReadonlySet<string>): string[] {
  const names = new Set<string>()
  for (const { name, pattern } of PATTERNS) {
    for (const [value] of text.matchAll(pattern)) {
      if (!isPlaceholder(value) && !known.has(value)) names.add(name)
    }
  }
  return [...names]
}

/**
 * Returns true for placeholders such as `ghp_xxxxxxxx…` and `AKIAIOSFODNN7EXAMPLE`, which are
 * common in documentation. Also returns true for the sample token of jwt.io.
 */
function isPlaceholder(value: string): boolean {
  if (value.startsWith('eyJ')) {
    const claims = Buffer.from(value.split('.')[1] ?? '', 'base64url').toString('latin1')
    return /1234567890|john doe|example/i.test(claims)
  }
  return /example|(.)\1{7}/i.test(value) || new Set(value.slice(4)).size < 8
}

function toUtf8(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('utf8')
}
