import type { WorkTree } from '../work-tree/open-work-tree.ts'
import type { FixtureFile } from './fixture.ts'

/**
 * Builds a seeded random number generator, so that a failing script can be reproduced from its
 * seed.
 */
function buildRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 12345\n`

/** Files of every kind that a documentation repository can contain. */
export const MOTLEY_FILES: readonly FixtureFile[] = [
  { path: 'README.md', content: '# Read me\n' },
  { path: 'docs.json', content: '{}\n' },
  { path: 'docs/a.md', content: 'a\n' },
  { path: 'docs/a/one.md', content: 'one\n' },
  { path: 'docs/a/two.md', content: 'two\r\nlines\r\n' },
  { path: 'docs/a-b.md', content: 'between\n' },
  { path: 'docs/a0/x.md', content: 'x\n' },
  { path: 'docs/deep/er/and/deeper/page.md', content: 'deep\n' },
  { path: 'docs/empty.md', content: '' },
  { path: 'docs/ünï/cödé ☃.md', content: 'snow\n' },
  { path: 'docs/e\u0301.md', content: 'decomposed\n' },
  { path: 'docs/\u{1f600}.md', content: 'astral\n' },
  { path: 'docs/\uffee.md', content: 'private\n' },
  { path: 'docs/link.md', mode: '120000', content: '../README.md' },
  { path: 'docs/out', mode: '120000', content: '/etc/passwd' },
  { path: 'scripts/run.sh', mode: '100755', content: '#!/bin/sh\n' },
  { path: 'scripts/sub/also.sh', mode: '100755', content: '#!/bin/sh\necho\n' },
  { path: 'vendor/theme', mode: '160000', content: '1234567890123456789012345678901234567890' },
  { path: '.gitattributes', content: '*.png filter=lfs diff=lfs merge=lfs -text\n' },
  { path: 'img/logo.png', content: LFS_POINTER },
  { path: 'img/plain.bin', content: new Uint8Array([0, 255, 10, 13, 200]) },
]

/**
 * Performs 1 to 12 random edits that create, edit, insert into, move or delete files. The script
 * includes edits that the work tree rejects.
 */
export async function runEditScript(tree: WorkTree, seed: number): Promise<void> {
  const random = buildRandom(seed)
  const pick = async () => {
    const files = (await tree.list()).filter((entry) => entry.kind === 'file')
    return files[random(files.length)]?.path ?? 'README.md'
  }
  const folders = [
    '',
    'docs/',
    'docs/a/',
    'docs/new/',
    'docs/deep/er/',
    'x/y/z/',
    'README.md/',
    'docs/a.md/',
    'scripts/',
  ]
  const names = ['page.md', 'a', 'a.md', 'ü.md', 'a-b', 'a0', '\u{1f680}.md', 'theme', 'Z.md', 'one.md']
  const invent = () => `${folders[random(folders.length)]}${names[random(names.length)]}`
  const text = () => `${'line\n'.repeat(random(4))}${random(1000)}\r\n`
  for (let step = 1 + random(12); step > 0; step--) {
    const action = random(6)
    const path = await pick()
    const attempt =
      action === 0
        ? tree.write(invent(), Buffer.from(text()))
        : action === 1
          ? tree.write(path, Buffer.from(text()))
          : action === 2
            ? tree.write(path, Buffer.concat([Buffer.from('inserted\n'), await tree.read(path)]))
            : action === 3
              ? tree.move(path, invent())
              : action === 4
                ? tree.remove(path)
                : tree.remove(path).then(() => tree.write(path, Buffer.from(text())))
    await attempt.catch((error: Error) => {
      if (error.name !== 'WorkspaceError') throw error
    })
  }
}
