import type { ConfigFile } from './config-file.ts'
import { parseJson, parseScript } from './parse-script.ts'
import { readJsonLiteral, readRoots } from './read-script-literal.ts'
import { readTomlLiteral } from './read-toml-literal.ts'
import { readYamlLiteral } from './read-yaml-literal.ts'
import { ScriptError } from './script-error.ts'

const MAX_SCRIPT_CHARS = 524_288
const SCRIPT = /\.[cm]?[jt]sx?$/

/**
 * Parses the text of a configuration file, which has LF line endings and no byte order mark. Never
 * throws. A file that is no JSON, YAML, TOML or script has no content.
 */
export function parseConfig(path: string, text: string): ConfigFile {
  const empty = { path, text, literal: null, tree: null, roots: [], fault: null }
  if (/\.ya?ml$|(?:^|\/)\.pages$/i.test(path)) {
    const { literal, fault } = readYamlLiteral(text)
    const roots = literal === null ? [] : [literal]
    return { ...empty, literal, roots, fault: fault === null ? null : { path, ...fault } }
  }
  if (/\.toml$/i.test(path)) {
    const { literal, fault } = readTomlLiteral(text)
    const roots = literal === null ? [] : [literal]
    return { ...empty, literal, roots, fault: fault === null ? null : { path, ...fault } }
  }
  if (/\.json$/i.test(path)) return readJson(empty)
  return SCRIPT.test(path) ? readScript(empty) : empty
}

function readJson(file: ConfigFile): ConfigFile {
  const { path, text } = file
  try {
    JSON.parse(text)
    const literal = readJsonLiteral(parseJson(text), { path, text })
    return { ...file, literal, roots: [literal] }
  } catch (error) {
    if (error instanceof ScriptError)
      return { ...file, fault: { path, line: toLine(text, error.offset), code: 'limit', detail: error.message } }
    if (!(error instanceof SyntaxError)) throw error
    const position = /position (\d+)/.exec(error.message)?.[1]
    const line = position === undefined ? null : toLine(text, Number(position))
    const detail = error.message.replace(/(?<!\s)\s*in JSON at position.*$/s, '')
    return { ...file, fault: { path, line, code: 'invalid', detail } }
  }
}

/** A script that is too large or intricate to parse may be valid, so this is not a fault. */
function readScript(file: ConfigFile): ConfigFile {
  const { path, text } = file
  if (text.length > MAX_SCRIPT_CHARS) return file
  try {
    const tree = parseScript(text, path)
    return { ...file, tree, roots: readRoots(tree, { path, text }) }
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    const { code, offset, message: detail } = error
    return code === 'limit' ? file : { ...file, fault: { path, line: toLine(text, offset), code, detail } }
  }
}

function toLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
