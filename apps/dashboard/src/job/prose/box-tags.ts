import type { Block } from './split-blocks.ts'

const TAG = /^<(\/?)([A-Za-z][\w.-]*)(?![\w.-])([^<>]*)>$/
const CONTAINER = /^:{3,}(?:[ \t]*(\S.*))?$/

interface Tag {
  /** Name that the closing tag repeats. */
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  /** The name and the attributes. */
  readonly text: string
}

/**
 * Marks the tags of components, such as `<Note>`, and the containers of site generators, such as
 * `:::tip`, and counts the components around each block. Tags that are not closed stay literal.
 */
export function boxTags(blocks: readonly Block[]): Block[] {
  const tags = blocks.map(readTag)
  const closed = new Set<number>()
  const open: number[] = []
  for (const [index, tag] of tags.entries()) {
    if (tag?.kind === 'open') open.push(index)
    if (tag?.kind !== 'close') continue
    const from = open.findLastIndex((one) => tags[one]?.name === tag.name)
    if (from === -1) continue
    closed.add(index).add(open[from] ?? index)
    open.length = from
  }
  let depth = 0
  return blocks.map((block, index) => {
    const tag = tags[index] ?? null
    if (block.kind !== 'lines' || tag === null || (tag.kind !== 'empty' && !closed.has(index))) {
      return depth === 0 ? block : { ...block, boxes: depth }
    }
    if (tag.kind === 'open') depth += 1
    const boxes = tag.kind === 'empty' ? depth + 1 : depth
    if (tag.kind === 'close') depth -= 1
    return { ...block, shape: 'tag', info: tag.kind, lines: tag.text.split('\n'), boxes }
  })
}

function readTag(block: Block): Tag | null {
  if (block.kind !== 'lines' || block.shape !== 'literal') return null
  const source = block.lines.join('\n').trim()
  const container = CONTAINER.exec(source)
  if (container) return { name: ':::', kind: container[1] ? 'open' : 'close', text: container[1] ?? '' }
  const [, slash, name = '', rest = ''] = TAG.exec(source) ?? []
  if (slash === undefined) return null
  if (slash === '/') return { name, kind: 'close', text: '' }
  const isEmpty = rest.endsWith('/')
  return { name, kind: isEmpty ? 'empty' : 'open', text: `${name}${isEmpty ? rest.slice(0, -1) : rest}`.trimEnd() }
}
