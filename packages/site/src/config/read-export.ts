import { type Environment, type Evaluation, toMember } from './evaluation.ts'
import type { Literal, Property } from './literal.ts'
import { readName } from './read-name.ts'

/**
 * Reads an export of a script (`default`, a name, `*` for the module, `require` for the result of
 * `require`). Returns null if the script does not export the name.
 */
export function readExport(evaluation: Evaluation, environment: Environment, name: string): Literal | null {
  const { scope, values } = environment
  if (name === 'require' || name === '*') return readNamespace(evaluation, environment, name)
  const own = scope.exports.get(name)
  if (own !== undefined) {
    const key = `export ${name}`
    const known = values.get(key)
    if (known !== undefined) return known
    // An export that depends on itself is unknown.
    values.set(key, { kind: 'unknown', start: 0, end: 0, file: environment.file })
    const value =
      own.kind === 'name'
        ? readName(evaluation, environment, own.name)
        : own.kind === 'expression'
          ? evaluation.evaluate(own.node, environment)
          : readImport(evaluation, environment, own.from, own.name)
    if (value !== null) values.set(key, value)
    return value
  }
  if (scope.main !== null) {
    const value = evaluation.evaluate(scope.main, environment)
    return name === 'default' ? value : toMember(value, name)
  }
  if (name === 'default') return null
  for (const from of scope.stars) {
    const value = readImport(evaluation, environment, from, name)
    if (value !== null && value.kind !== 'unknown') return value
  }
  return null
}

function readImport(evaluation: Evaluation, { file }: Environment, from: string, name: string): Literal | null {
  const path = evaluation.resolve(file.path, from)
  return path === null ? null : evaluation.readModule(path, name)
}

function readNamespace(evaluation: Evaluation, environment: Environment, name: 'require' | '*'): Literal {
  const { file, scope } = environment
  const main = scope.main === null ? null : evaluation.evaluate(scope.main, environment)
  if (main !== null && name === 'require') return main
  const toProperty = (key: string, value: Literal): Property => ({ key, keyStart: 0, keyEnd: 0, file, value })
  const properties = [...scope.exports.keys()].flatMap((key) => {
    const value = readExport(evaluation, environment, key)
    return value === null ? [] : [toProperty(key, value)]
  })
  if (main !== null) properties.push(toProperty('default', main))
  const whole = scope.stars.length === 0
  return evaluation.measure({ kind: 'object', properties, whole, start: 0, end: 0, file })
}
