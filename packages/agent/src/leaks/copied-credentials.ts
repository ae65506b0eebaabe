import type { NameTest } from './name-test.ts'

/** Values that could be passwords or keys: a mixture of letters and digits without a known form. */
const VALUE = /(?<![\w+/=.-])[\w+/=!$%^&*.~-]{8,200}(?![\w+/=-])/g
/**
 * A value that is assigned to a name such as `password`. An argument after such a name has quotes,
 * because it is an identifier otherwise.
 */
const ASSIGNED =
  /(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth|signing[_-]?key)[\w-]{0,20}["'`]?\s{0,4}(?:[:=]>?\s{0,4}["'`]?|[,)]\s{0,4}["'`])([\w+/=!$%^&*.~-]{8,200})/gi
/** The password of an address, such as `postgres://user:password@host`. */
const USERINFO = /\w:\/\/[^\s/:@]{0,40}:([^\s/:@]{8,200})@/g
/** The lines of a private key. */
const KEY = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----([^-]{1,10000})-----END/g
/**
 * Words and patterns of values that stand for a credential in examples, such as `your-token` and
 * `secret123`.
 */
const PLACEHOLDER =
  /example|sample|placeholder|change[_-]?me|your|dummy|x{3}|redacted|(.)\1{5}|12345678|abcdef|localhost|^(?:secret|pass(?:word)?|token|key|test|demo)[-_]?\d{1,3}$/i
/** A word of letters and digits that could be a generated value. */
const GENERATED = /(?<![\w+/=-])[\w-]{20,200}(?![\w+/-])/g

/** Values of a source's credentials, such as `password: "…"`, whatever their form. */
export const copiedCredentials: NameTest = {
  kind: 'credential',
  *listNames(line) {
    for (const [value] of line.matchAll(VALUE)) {
      for (const part of [
        value,
        value.replace(/^[.!*~]+/, '').replace(/(?<![.!*~])[.!*~]+$/, ''),
        ...value.split(/[=/:]/).map((part) => part.replace(/\.[a-z]{2,5}$/, '')),
      ]) {
        if (isRandom(part)) yield part
      }
    }
  },
  *listInternal(_path, text) {
    for (const [, body = ''] of text.matchAll(KEY)) yield* body.split(/[\s"'\\]+/)
    for (const pattern of [ASSIGNED, USERINFO]) {
      for (const [, value = ''] of text.matchAll(pattern)) {
        yield value
        yield value.replace(/(?<![.!*~])[.!*~]+$/, '')
      }
    }
  },
}

/**
 * Returns the generated values of a file, whatever name they are assigned to. Words that are made of
 * other words, such as `sha256-of-the-file`, are not among them.
 */
export function* listGenerated(text: string): Generator<string> {
  for (const [value] of text.matchAll(GENERATED)) {
    if (isRandom(value) && isGenerated(value)) yield value
  }
}

/** Letters of both cases and digits alternate often in a generated value, and it has no words. */
function isGenerated(value: string): boolean {
  const runs = value.match(/[a-z]+|[A-Z]+|\d+/g) ?? []
  const words = runs.filter((run) => /^[a-zA-Z]{5}/.test(run)).length
  const digits = runs.filter((run) => /^\d/.test(run)).length
  return digits >= 3 && words <= 1 && runs.length >= value.length / 4
}

function isRandom(value: string): boolean {
  if (value.length < 8 || PLACEHOLDER.test(value)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w]/].filter((kind) => kind.test(value)).length
  return (
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    kinds >= 2 &&
    new Set(value).size >= 7 &&
    !/^v?\d+(?:\.\w+)+$/.test(value)
  )
}
