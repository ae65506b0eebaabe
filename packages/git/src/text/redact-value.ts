import { redactSecrets } from './redact-secrets.ts'
import { squeeze, toCredentialForms } from './to-credential-forms.ts'

const HIDDEN = '[text withheld because it contained an encoded credential]'

/**
 * Returns a copy of plain data without credentials. A string that contains an encoded credential is
 * replaced entirely.
 */
export function redactValue<T>(value: T, knownSecrets: readonly string[]): T {
  const forms = knownSecrets.flatMap(toCredentialForms)
  const redact = (item: unknown): unknown => {
    if (typeof item === 'string') return redactText(item, knownSecrets, forms)
    if (Array.isArray(item)) return item.map(redact)
    if (typeof item !== 'object' || item === null || Object.getPrototypeOf(item) !== Object.prototype) return item
    return Object.fromEntries(Object.entries(item).map(([key, child]) => [key, redact(child)]))
  }
  return redact(value) as T
}

function redactText(text: string, knownSecrets: readonly string[], forms: readonly string[]): string {
  const clean = redactSecrets(text, knownSecrets)
  const plain = squeeze(clean)
  return forms.some((form) => plain.includes(form)) ? HIDDEN : clean
}
