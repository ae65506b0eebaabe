import { type HostileRow, putEntries, putTree, readable, refused, toFile, toFolder, toLink } from './hostile-row.ts'

/** A pattern that a backtracking matcher would effectively never finish matching. */
const slowPattern = `${'*a'.repeat(40)}*b`
const slowName = `${'a'.repeat(200)}.md`

/** Repositories whose objects are damaged or misplaced, or too large for `trees.yaml`. */
export const contentRows: readonly HostileRow[] = [
  {
    name: '.gitattributes with a pattern that is extremely slow to match',
    build: (origin) =>
      void putEntries(origin, [
        toFile(origin, '.gitattributes', `${slowPattern} filter=lfs\n`.repeat(200)),
        toFile(origin, slowName),
      ]),
    expect: readable(['.gitattributes', slowName]),
  },
  {
    name: 'an 8 MiB .gitattributes file',
    build: (origin) => {
      const lines = Array.from({ length: 400_000 }, (_, i) => `*.${i} filter=lfs\n`).join('')
      putEntries(origin, [toFile(origin, '.gitattributes', lines), toFile(origin, 'a.md')])
    },
    expect: readable(['.gitattributes', 'a.md']),
  },
  {
    name: 'a hundred .gitattributes entries that are symlinks, directories or garbage',
    build: (origin) => {
      const noise = Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7) & 255))
      const folders = Array.from({ length: 100 }, (_, i) =>
        toFolder(origin, `d${String(i).padStart(3, '0')}`, [
          i % 3 === 0
            ? toLink(origin, '.gitattributes', '../../../etc/passwd')
            : i % 3 === 1
              ? toFolder(origin, '.gitattributes', [toFile(origin, 'x')])
              : toFile(origin, '.gitattributes', noise),
        ]),
      )
      putEntries(origin, folders)
    },
    expect: readable(100),
  },
  {
    name: 'a blob where a tree belongs',
    build: (origin) => void putEntries(origin, [{ mode: '40000', name: 'a', oid: origin.store.blob('not a tree') }]),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a blob with the bytes of a tree where a tree belongs',
    build: (origin) => {
      const { bytes } = origin.store.objects.get(origin.store.tree([toFile(origin, 'x')])) ?? { bytes: Buffer.alloc(0) }
      putEntries(origin, [{ mode: '40000', name: 'a', oid: origin.store.blob(bytes) }])
    },
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a tree where a file belongs',
    build: (origin) =>
      void putEntries(origin, [{ mode: '100644', name: 'a', oid: origin.store.tree([toFile(origin, 'x')]) }]),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a commit where a directory belongs',
    build: (origin) => {
      const commit = origin.store.commit(origin.store.tree([toFile(origin, 'x')]))
      putEntries(origin, [{ mode: '40000', name: 'a', oid: commit }])
    },
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a commit whose tree is a file',
    build: (origin) => void putTree(origin, origin.store.blob('not a tree')),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a commit whose tree is missing',
    build: (origin) => void putTree(origin, '2'.repeat(40)),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a commit without a tree',
    build: (origin) => void origin.refs.set('refs/heads/main', origin.store.put('commit', 'author nobody\n\nx\n')),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a branch that points to a tree',
    build: (origin) => void origin.refs.set('refs/heads/main', origin.store.tree([toFile(origin, 'a')])),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a branch that points to a file',
    build: (origin) => void origin.refs.set('refs/heads/main', origin.store.blob('x')),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a branch that points to a chain of a thousand tags',
    build: (origin) => {
      let type = 'commit'
      let oid = origin.store.commit(origin.store.tree([toFile(origin, 'a')]))
      for (let i = 0; i < 1_000; i++) {
        oid = origin.store.put('tag', `object ${oid}\ntype ${type}\ntag t${i}\n\nx\n`)
        type = 'tag'
      }
      origin.refs.set('refs/heads/main', oid)
    },
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a commit with 100,000 missing parents',
    build: (origin) => {
      const parents = Array.from({ length: 100_000 }, (_, i) => `parent ${i.toString(16).padStart(40, '0')}\n`).join('')
      putTree(origin, origin.store.tree([toFile(origin, 'a')]), parents)
    },
    expect: readable(['a']),
  },
  {
    name: 'a commit with its own tree as a parent',
    build: (origin) => {
      const tree = origin.store.tree([toFile(origin, 'a')])
      putTree(origin, tree, `parent ${tree}\nparent ${'0'.repeat(40)}\nmergetag object ${tree}\nencoding ../../x\n`)
    },
    expect: readable(['a']),
  },
  {
    name: 'a tree truncated within an id',
    build: (origin) => {
      putTree(origin, origin.store.put('tree', Buffer.from('100644 a\0short')))
    },
    expect: refused('unreadable_tree'),
  },
  {
    name: 'a tree of garbage bytes',
    build: (origin) => {
      putTree(origin, origin.store.put('tree', Buffer.alloc(5_000, 0xa5)))
    },
    expect: refused('unreadable_tree'),
  },
]
