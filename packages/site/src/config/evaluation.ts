import type { AnyNode, Function as FunctionNode, Program } from 'acorn'
import { findProperty, type Literal, type LiteralFile, type UnknownLiteral } from './literal.ts'
import type { ScriptScope } from './script-scope.ts'

/** A configuration file as `Evaluator` uses it. */
export interface EvaluatedFile extends LiteralFile {
  /** The content of a JSON or YAML file. */
  readonly literal: Literal | null
  /** The syntax tree of a script. */
  readonly tree: Program | null
}

export interface EvaluatedFiles {
  has(path: string): boolean
  /** Returns null if the file was not opened. */
  find(path: string): EvaluatedFile | null
}

/** The names in a module or a function call. */
export interface Environment {
  readonly file: EvaluatedFile
  readonly scope: ScriptScope
  /** Values of the names that were read. */
  readonly values: Map<string, Literal>
  readonly outer: Environment | null
}

export interface Closure {
  readonly node: FunctionNode
  readonly environment: Environment
}

/** The functions of an evaluation, which call each other, and its shared state. */
export interface Evaluation {
  readonly files: EvaluatedFiles
  /** Functions keyed by their value, which is an unknown literal. */
  readonly closures: WeakMap<Literal, Closure>
  evaluate(expression: AnyNode, environment: Environment): Literal
  apply(closure: Closure, args: readonly Literal[]): Literal
  /** Finds the file that a module specifier refers to, as `findModule` does. */
  resolve(from: string, specifier: string): string | null
  /**
   * Reads an export of another file. `*` is the whole module, and `require` is what `require`
   * returns.
   */
  readModule(path: string, name: string): Literal | null
  /**
   * Returns a value, or an unknown one if it has too many parts. Parts that occur several times count
   * each time, because a reader visits them each time.
   */
  measure(value: Literal): Literal
  /**
   * Counts steps before they are taken. Returns false once there were too many. Then every further
   * expression is unknown.
   */
  take(steps: number): boolean
}

export function toUnknown(node: { start: number; end: number }, { file }: { file: LiteralFile }): UnknownLiteral {
  return { kind: 'unknown', start: node.start, end: node.end, file }
}

/** Returns a property's value, undefined if the object lacks it, or null if this is unknown. */
export function toMember(value: Literal, key: string): Literal | null {
  const found = findProperty(value, key)
  if (found !== null || value.kind !== 'object' || !value.whole) return found
  return { kind: 'scalar', value: undefined, start: value.end, end: value.end }
}

/** Returns the literals directly in a value. */
export function toParts(value: Literal): readonly Literal[] {
  if (value.kind === 'array') return value.items
  if (value.kind === 'object') return value.properties.map((property) => property.value)
  return value.kind === 'call' ? value.args : []
}

export function toElement(value: Literal, at: number): Literal | null {
  return value.kind === 'array' && value.whole ? (value.items[at] ?? null) : null
}
