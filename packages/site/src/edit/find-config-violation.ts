import { decodeText } from '../workspace/text-file.ts'
import { findDataViolation } from './find-data-violation.ts'
import { findScriptViolation } from './find-script-violation.ts'
import { restoreStrings, type StringTest } from './restore-strings.ts'

const SCRIPT = /\.[cm]?[jt]sx?$/i

/**
 * Compares two versions of a site's configuration file. Only literals in its navigation and
 * redirects may differ, and texts for which `accepts` returns true, wherever they are. Returns the
 * reason why the change is not allowed, as part of a sentence, or null. Runs no code, and takes
 * linear time.
 */
export function findConfigViolation(
  path: string,
  before: Uint8Array,
  after: Uint8Array,
  accepts: StringTest = () => false,
): string | null {
  const [old, now] = [decodeText(before), decodeText(after)]
  if (typeof old === 'string' || typeof now === 'string') return 'it is not UTF-8 text'
  if (old.bom !== now.bom || old.eol !== now.eol) return 'its line endings would change'
  if (SCRIPT.test(path)) return findScriptViolation(path, old.text, now.text, accepts)
  return findDataViolation(path, old.text, restoreStrings(path, old.text, now.text, accepts))
}
