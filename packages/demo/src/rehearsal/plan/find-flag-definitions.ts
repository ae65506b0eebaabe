import { posix } from 'node:path'
import type { Plan } from './plan.ts'
import { searchText } from './search-text.ts'
import { viewFiles } from './view-files.ts'

/** A line of code that defines a flag of a command, such as `flags.BoolVar(&x, "json", false, "…")`. */
export interface FlagDefinition {
  flag: string
  source: string
  path: string
  fromLine: number
  toLine: number
  /** The command that has the flag. */
  command: string
  description: string
  /** The code between the name and the description, such as `false`; may be empty. */
  defaultCode: string
}

const maxFiles = 8
/** A definition that is wrapped can continue on this many lines. */
const maxContinued = 3
const isTest = (path: string): boolean => /(^|[/._-])tests?[/._-]/.test(path)

/**
 * Returns the definitions of a flag in the sources. A definition is a string with the flag's name,
 * with or without dashes, followed by a string with a description of several words.
 */
export function* findFlagDefinitions(flag: string, sources: readonly string[]): Plan<FlagDefinition[]> {
  for (const query of [`"${flag}"`, `--${flag}`]) {
    const definitions: FlagDefinition[] = []
    for (const source of sources) definitions.push(...(yield* findInSource(flag, query, source)))
    if (definitions.length > 0) return definitions
  }
  return []
}

function* findInSource(flag: string, query: string, source: string): Plan<FlagDefinition[]> {
  const hits = (yield* searchText({ query, source })).filter(({ path }) => !isTest(path))
  const paths = [...new Set(hits.map(({ path }) => path))].slice(0, maxFiles)
  const files = paths.length > 0 ? yield* viewFiles(paths, source) : []
  return files.flatMap((file) => {
    if (!file) return []
    const { path, lines } = file
    const found = hits.filter((hit) => hit.path === path).map(({ line }) => toDefinition(lines, line, flag))
    return found
      .filter((definition) => definition !== null)
      .map((definition) => ({ ...definition, source, path, command: definition.command ?? toName(path) }))
  })
}

const toName = (path: string): string => posix.basename(path).replace(/\..*$/, '')

function toDefinition(
  lines: readonly string[],
  line: number,
  flag: string,
): (Omit<FlagDefinition, 'source' | 'path' | 'command'> & { command: string | null }) | null {
  for (let last = line; last <= Math.min(line + maxContinued, lines.length); last += 1) {
    const found = readDefinition(lines.slice(line - 1, last).join('\n'), flag)
    if (found) return { ...found, flag, fromLine: line, toLine: last, command: findCommand(lines, line) }
    if (!/[,(]\s*$/.test(lines[last - 1] ?? '')) break
  }
  return null
}

/** Returns the description in a definition, and the code before it; null for other code. */
export function readDefinition(code: string, flag: string): { description: string; defaultCode: string } | null {
  const strings = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`/g)].map((match) => ({
    text: match[1] ?? match[2] ?? match[3] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }))
  const name = strings.findIndex(({ text }) => /^(?:-\w,? )?(?:--)?([\w-]+)/.exec(text)?.[1] === flag)
  const named = strings[name]
  const described = strings.slice(name + 1).find(({ text }) => /\w+ \w+/.test(text))
  if (!named || !described) return null
  const defaultCode = code.slice(named.end, described.start).replace(/^[\s,]+|[\s,]+$/g, '')
  return { description: described.text, defaultCode }
}

/** Returns the last command that the file defines before the line, or null. */
function findCommand(lines: readonly string[], line: number): string | null {
  for (const text of lines.slice(0, line).reverse()) {
    const command = /\b(?:Use:\s*|command\(\s*)["'`]([\w-]+)/.exec(text)?.[1]
    if (command) return command
  }
  return null
}
