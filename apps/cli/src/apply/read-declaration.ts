import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '@corrigenda/core/runtime'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import type { CommandContext } from '../environment/command-context.ts'
import { DECLARATION_VERSION, Declaration } from './declaration.ts'

export type FieldPath = readonly PropertyKey[]

export interface ReadDeclaration {
  readonly declaration: Declaration
  /** Folder that relative paths in the declaration start from. */
  readonly folder: string
  /** Returns an error whose message starts with the file, the line and the name of a field. */
  toError(field: FieldPath, message: string): ConfigError
}

/**
 * Reads and validates a declaration.
 * @param file path, or - for standard input
 * @throws ConfigError that lists the file, line and field of each problem, without values
 */
export async function readDeclaration(
  { cwd, stdin }: Pick<CommandContext, 'cwd' | 'stdin'>,
  file: string,
): Promise<ReadDeclaration> {
  const text = file === '-' ? await readAll(stdin) : readText(path.resolve(cwd, file), file)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [syntax] = document.errors
  if (syntax) {
    // After a colon, some messages contain text of the file, which may be a secret.
    const [message] = syntax.message.split(':')
    throw new ConfigError([`${file}:${lines.linePos(syntax.pos[0]).line}: ${message}.`])
  }

  const toLine = (field: FieldPath): number => {
    // The nearest node that exists: the line of a missing field is the line of its parent.
    for (let length = field.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(field.slice(0, length), true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  const toProblem = (field: FieldPath, message: string) => `${file}:${toLine(field)}: ${toName(field)}${message}`

  const value = toValue(document, file)
  const version = (value as { version?: unknown } | null)?.version
  if (version !== DECLARATION_VERSION) {
    const what = version === undefined ? 'is missing' : 'is not supported'
    throw new ConfigError([
      toProblem(['version'], `${what}. This command supports version ${DECLARATION_VERSION} of the format.`),
    ])
  }
  const parsed = Declaration.safeParse(value)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => toProblem(toField(issue), `${toMessage(issue)}.`)))
  }
  return {
    declaration: parsed.data,
    folder: file === '-' ? cwd : path.dirname(path.resolve(cwd, file)),
    toError: (field, message) => new ConfigError([toProblem(field, message)]),
  }
}

/** The library's errors about aliases contain their names, which may be secrets that start with *. */
function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS()
  } catch {
    throw new ConfigError([`${file}: has an alias without an anchor, or too many. Quote values that start with *.`])
  }
}

function readText(absolute: string, file: string): string {
  try {
    return readFileSync(absolute, 'utf8')
  } catch (error) {
    throw new ConfigError([`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`])
  }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

type Issue = z.core.$ZodIssue

/** An issue about an unknown key has the path of its parent. */
const toField = (issue: Issue): FieldPath =>
  issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path

const toMessage = (issue: Issue): string =>
  issue.code === 'unrecognized_keys' ? 'is not a known field' : toClause(issue.message)

/** The messages of Zod's own checks are sentences, such as `Invalid input: expected string`. */
const toClause = (message: string): string => (/^[A-Z]/.test(message) ? `is not valid: ${message}` : message)

function toName(field: FieldPath): string {
  const name = field.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return name === '' ? '' : `${name.slice(1)} `
}
