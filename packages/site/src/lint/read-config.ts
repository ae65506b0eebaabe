import { parseDocument } from 'yaml'
import { MAX_YAML_DEPTH, measureYamlDepth } from '../pages/measure-yaml-depth.ts'
import { decodeText } from '../workspace/text-file.ts'

const MAX_BYTES = 65_536

/**
 * Reads a configuration file as data: JSON, JSON with comments and trailing commas, or YAML. No
 * code is loaded or run.
 * @returns null when it is too large, does not parse or is not a mapping
 */
export function readConfig(path: string, bytes: Uint8Array): Record<string, unknown> | null {
  if (bytes.length > MAX_BYTES) return null
  const file = decodeText(bytes)
  if (typeof file === 'string') return null
  const value = /\.ya?ml$/i.test(path) ? readYaml(file.text) : readJson(file.text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

function readJson(text: string): unknown {
  const plain = text
    .replace(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (found) =>
      found.startsWith('"') ? found : ' ',
    )
    .replace(/"(?:[^"\\\n]|\\.)*"?|,(?=\s{0,1000}[}\]])/g, (found) => (found.startsWith('"') ? found : ' '))
  try {
    return JSON.parse(plain)
  } catch {
    return null
  }
}

function readYaml(text: string): unknown {
  if (measureYamlDepth(text) > MAX_YAML_DEPTH) return null
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
  if (document.errors.length > 0) return null
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    return null
  }
}
