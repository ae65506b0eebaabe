import { describe, expect, it } from 'vitest'
import { buildBoundedCache } from '../objects/bounded-cache.ts'
import { checkTrees, DEFAULT_TREE_LIMITS } from '../objects/check-trees.ts'
import { hashObject } from '../objects/hash-object.ts'
import { type ParsedTree, parseTree } from '../objects/parse-tree.ts'
import { listTree } from '../snapshot/list-tree.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

const trees = new Map<string, ParsedTree>()
const blob = 'a'.repeat(40)

function store(entries: readonly [mode: string, name: string, oid: string][]): string {
  const parts = entries.map(([mode, name, oid]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
  )
  const tree = parseTree(Buffer.concat(parts))
  const oid = hashObject('tree', tree.bytes)
  trees.set(oid, tree)
  return oid
}

function nest(depth: number): string {
  let oid = store([['100644', 'page.md', blob]])
  for (let i = 0; i < depth; i++) oid = store([['40000', 'd', oid]])
  return oid
}

/** Builds a tree of `width` ** (`depth` + 1) files from `depth` + 1 tree objects. */
function multiply(width: number, depth: number): string {
  const names = Array.from({ length: width }, (_, i) => `n${i}`)
  let oid = store(names.map((name) => ['100644', name, blob]))
  for (let i = 0; i < depth; i++) {
    const below = oid
    oid = store(names.map((name) => ['40000', name, below]))
  }
  return oid
}

let reads = 0
const readTree = async (oid: string): Promise<ParsedTree> => {
  reads++
  const tree = trees.get(oid)
  if (!tree) throw new Error('no such tree')
  return tree
}
const limits = { ...DEFAULT_TREE_LIMITS, maxEntries: 1_000 }

const check = (root: string) =>
  checkTrees({ readTree, limits, isKnown: () => false, hasTree: (oid) => trees.has(oid), hasBlob: () => true }, root)

const list = (tree: string) =>
  listTree({
    tree,
    readTree,
    cacheKey: '',
    listings: buildBoundedCache(1_000, () => 1),
    limits: { tree: limits, pack: { maxObjectBytes: 1, maxTotalBytes: 1 } },
  } as unknown as Snapshot)

describe.each([
  ['the download check', check],
  ['the file listing', list],
])('%s', (_name, walk) => {
  it('accepts a tree within the limits', async () => {
    await expect(walk(nest(limits.maxDepth))).resolves.not.toThrow()
    await expect(walk(multiply(9, 2))).resolves.not.toThrow()
  })

  it('rejects a tree that is too deep', async () => {
    await expect(walk(nest(limits.maxDepth + 1))).rejects.toMatchObject({ code: 'too_large' })
    await expect(walk(nest(5_000))).rejects.toMatchObject({ code: 'too_large' })
  })

  it('rejects a repeated tree that is too deep only in its second location', async () => {
    const below = nest(40)
    let deep = store([['40000', 'x', below]])
    for (let i = 0; i < 30; i++) deep = store([['40000', 'x', deep]])
    const root = store([
      ['40000', 'a', below],
      ['40000', 'b', deep],
    ])
    await expect(walk(root)).rejects.toMatchObject({ code: 'too_large' })
  })

  it('rejects too many entries without counting them one by one', async () => {
    const bomb = multiply(10, 8)
    reads = 0
    await expect(walk(bomb)).rejects.toMatchObject({ code: 'too_large' })
    expect(reads).toBeLessThan(2_000)
  })
})

describe('the download check', () => {
  it('rejects missing objects', async () => {
    const root = store([['40000', 'gone', 'b'.repeat(40)]])
    await expect(check(root)).rejects.toMatchObject({ code: 'corrupt_pack' })
  })
})
