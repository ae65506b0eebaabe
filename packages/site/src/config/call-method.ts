import type { Literal, LiteralFile, Property } from './literal.ts'
import { isTruthy } from './static-operator.ts'

interface MethodCall {
  readonly name: string
  /** The value whose method is called; null for functions of `Object`. */
  readonly object: Literal | null
  readonly args: readonly Literal[]
  readonly place: { readonly start: number; readonly end: number; readonly file: LiteralFile }
  /** Calls a function in the configuration. Returns null if the value is not one. */
  apply(fn: Literal, args: readonly Literal[]): Literal | null
}

/** Evaluates `Object.assign` and the common methods of arrays. Returns null for other methods. */
export function callMethod({ name, object, args, place, apply }: MethodCall): Literal | null {
  if (object === null) return name === 'assign' ? assign(args, place) : null
  if (object.kind !== 'array') return null
  const { items, whole } = object
  const [first] = args
  const build = (list: readonly Literal[], isWhole = whole): Literal => ({
    kind: 'array',
    items: list,
    whole: isWhole,
    ...place,
  })
  switch (name) {
    case 'concat':
    case 'flat':
      return flatten(name === 'flat' ? items : [object, ...args], build)
    case 'map':
    case 'flatMap': {
      if (first === undefined) return null
      const mapped = items.map((item) => apply(first, [item]) ?? { kind: 'unknown' as const, ...place })
      return name === 'map' ? build(mapped) : flatten(mapped, (list, isWhole) => build(list, whole && isWhole))
    }
    case 'filter': {
      if (first === undefined) return null
      const isPlain = first.file?.text.slice(first.start, first.end) === 'Boolean'
      // Other filters may remove any item.
      return build(isPlain ? items.filter((item) => isTruthy(item) !== false) : items, whole && isPlain)
    }
    default:
      return null
  }
}

function flatten(parts: readonly Literal[], build: (items: Literal[], whole: boolean) => Literal): Literal {
  const items = parts.flatMap((part) => (part.kind === 'array' ? part.items : [part]))
  return build(
    items,
    parts.every((part) => part.kind !== 'array' || part.whole),
  )
}

function assign(args: readonly Literal[], place: MethodCall['place']): Literal {
  const properties = new Map<string, Property>()
  for (const arg of args) if (arg.kind === 'object') for (const own of arg.properties) properties.set(own.key, own)
  const whole = args.every((arg) => arg.kind === 'object' && arg.whole)
  return { kind: 'object', properties: [...properties.values()], whole, ...place }
}
