const NOUNS =
  'account invoice ledger refund posting balance currency period tenant region shard queue worker session token webhook schedule report export import batch cursor policy limit quota'.split(
    ' ',
  )
const VERBS =
  'load store open close settle collect merge split count verify render schedule parse format resolve'.split(' ')

/** Path of a generated file. Folders have about 50 files. */
export function toCodePath(file: number): string {
  const noun = NOUNS[file % NOUNS.length]
  return `packages/${noun}/src/${VERBS[(file >> 3) % VERBS.length]}-${Math.floor(file / 800)}/${noun}-${file}.ts`
}

/**
 * Generates a module of about 6.5 kB: imports, an interface, and functions with comments. The content
 * depends only on the arguments, and few lines occur in two files.
 * @param version changes one function
 */
export function buildCode(file: number, version = 0): string {
  let state = (Math.imul(file + 1, 2_654_435_761) ^ 0x5bd1e995) >>> 0
  const next = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % count
  }
  const noun = () => NOUNS[next(NOUNS.length)] ?? ''
  const verb = () => VERBS[next(VERBS.length)] ?? ''
  const upper = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  const type = `${upper(noun())}${upper(noun())}${file}`
  const fields = Array.from({ length: 6 }, (_, n) => `  readonly ${noun()}${n}: ${n % 2 === 0 ? 'string' : 'number'}`)
  const imports = Array.from({ length: 4 }, () => {
    const name = `${verb()}${upper(noun())}`
    return `import { ${name} } from '../${noun()}/${name}.ts'`
  })
  const functions = Array.from({ length: 9 }, (_, n) => {
    const [name, value, other] = [`${verb()}${upper(noun())}${n}`, noun(), noun()]
    const limit = n === 0 ? next(900) + version : next(900)
    return `/**
 * ${upper(verb())}s the ${value} of a ${other} before its ${noun()} is ${verb()}d. At most ${limit} entries per ${noun()}.
 */
export async function ${name}(${value}: ${type}, ${other}s: readonly string[]): Promise<number> {
  const ${value}Limit = Math.min(${limit}, ${other}s.length * ${next(40) + 1})
  for (const [index, ${other}] of ${other}s.entries()) {
    if (index > ${value}Limit) throw new RangeError(\`too many ${other}s for \${${value}.${noun()}0}\`)
    const found = await ${verb()}${upper(noun())}(${other}, { ${noun()}: index, retries: ${next(9)} })
    if (found === null) continue
    await ${verb()}${upper(noun())}(found.${noun()}, '${noun()}.${noun()}.${next(9_999)}')
  }
  return ${value}Limit
}
`
  })
  return `${imports.join('\n')}\n\nexport interface ${type} {\n${fields.join('\n')}\n}\n\n${functions.join('\n')}`
}
