import { type HostileRow, putEntries, putTree, readable, refused, toFile, toFolder, toLink } from './hostile-row.ts'

const submodules = `[submodule "x"]
	path = ../../outside
	url = --upload-pack=touch escaped
[submodule "../../hooks"]
	path = sub
	url = ext::sh -c touch% escaped
	update = !touch escaped
`

/** A pattern that a backtracking matcher would effectively never finish matching. */
const slowPattern = `${'*a'.repeat(40)}*b`
const slowName = `${'a'.repeat(200)}.md`

const pointer = (oid: string, size: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`

export const contentRows: readonly HostileRow[] = [
  {
    name: 'symlinks that leave the repository',
    build: (origin) =>
      void putEntries(origin, [
        toLink(origin, 'abs', '/etc/passwd'),
        toLink(origin, 'env', '/proc/self/environ'),
        toLink(origin, 'git', '.git/config'),
        toFolder(origin, 'sub', [toLink(origin, 'sly', 'up/../../../x'), toLink(origin, 'up', '../..')]),
        toLink(origin, 'up', '../../..'),
      ]),
    expect: readable(['abs', 'env', 'git', 'sub/sly', 'sub/up', 'up']),
  },
  {
    name: 'symlinks in a cycle',
    build: (origin) =>
      void putEntries(origin, [
        toLink(origin, 'a', 'b'),
        toLink(origin, 'b', 'c'),
        toLink(origin, 'c', 'a'),
        toLink(origin, 'self', 'self'),
      ]),
    expect: readable(['a', 'b', 'c', 'self']),
  },
  {
    name: 'a chain of symlinks, the last of which leaves the repository',
    build: (origin) =>
      void putEntries(origin, [
        toLink(origin, 'one', 'two'),
        toLink(origin, 'three', '../../../../etc'),
        toLink(origin, 'two', 'three/passwd'),
      ]),
    expect: readable(['one', 'three', 'two']),
  },
  {
    name: 'symlinks with targets that no file system accepts',
    build: (origin) =>
      void putEntries(origin, [
        toLink(origin, 'empty', ''),
        toLink(origin, 'long', 'd/'.repeat(4_000)),
        toLink(origin, 'nul', 'a\0/etc/passwd'),
      ]),
    expect: readable(['empty', 'long', 'nul']),
  },
  {
    name: 'a symlink that replaces a directory from the previous version',
    build: (origin) => void putEntries(origin, [toLink(origin, 'docs', '/etc'), toFile(origin, 'z.md')]),
    expect: readable(['docs', 'z.md']),
  },
  {
    name: '.gitmodules with commands as URLs',
    build: (origin) =>
      void putEntries(origin, [
        toFile(origin, '.gitmodules', submodules),
        { mode: '160000', name: 'sub', oid: '1'.repeat(40) },
      ]),
    expect: readable(['.gitmodules', 'sub']),
  },
  {
    name: '.gitmodules as a symlink',
    build: (origin) =>
      void putEntries(origin, [toLink(origin, '.gitmodules', '../../../etc/passwd'), toFile(origin, 'a')]),
    expect: readable(['.gitmodules', 'a']),
  },
  {
    name: 'hooks and Git configuration in the tree',
    build: (origin) => {
      const hook = { ...toFile(origin, 'post-checkout', '#!/bin/sh\ntouch "$HOME/escaped"\n'), mode: '100755' }
      putEntries(origin, [
        toFile(origin, '.gitconfig', '[core]\n\thooksPath = hooks\n\tfsmonitor = "touch escaped"\n'),
        toFolder(origin, '.githooks', [hook]),
        toFolder(origin, 'hooks', [hook]),
      ])
    },
    expect: readable(['.gitconfig', '.githooks/post-checkout', 'hooks/post-checkout']),
  },
  {
    name: '.gitattributes with filters',
    build: (origin) => {
      const attributes = '* filter=evil diff=evil merge=evil working-tree-encoding=UTF-16 eol=crlf\n*.md filter=lfs\n'
      putEntries(origin, [toFile(origin, '.gitattributes', attributes), toFile(origin, 'a.md', 'a\n')])
    },
    expect: readable(['.gitattributes', 'a.md']),
  },
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
    name: 'LFS pointers with hostile content',
    build: (origin) =>
      void putEntries(origin, [
        toFile(origin, '.gitattributes', '*.bin filter=lfs\n'),
        toFile(origin, 'a.bin', pointer('ab'.repeat(32), '9'.repeat(40))),
        toFile(origin, 'b.bin', pointer('../../../../etc/passwd', '12')),
        toFile(origin, 'c.bin', pointer('ab'.repeat(32), '-1')),
        toFile(origin, 'd.bin', `${pointer('cd'.repeat(32), '1')}x-evil $(touch escaped)\n`),
      ]),
    expect: readable(['.gitattributes', 'a.bin', 'b.bin', 'c.bin', 'd.bin']),
  },
  {
    name: 'a missing directory',
    build: (origin) => void putEntries(origin, [{ mode: '40000', name: 'gone', oid: '1'.repeat(40) }]),
    expect: refused('corrupt_pack'),
  },
  {
    name: 'a missing file that cannot be fetched',
    build: (origin) => void putEntries(origin, [{ mode: '100644', name: 'gone', oid: '1'.repeat(40) }]),
    expect: refused('object_not_found'),
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
]
