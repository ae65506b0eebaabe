import {
  type HostileExpectation,
  type HostileRow,
  putEntries,
  putTree,
  readable,
  refused,
  toFile,
  toFolder,
  toLink,
} from './hostile-row.ts'

const hostile = refused('hostile_tree')
const unreadable = refused('unreadable_tree')

/** Builds a row with a single file that has this name. */
function named(what: string, name: string | Buffer, expect: HostileExpectation): HostileRow {
  return { name: `a file named ${what}`, build: (origin) => void putEntries(origin, [toFile(origin, name)]), expect }
}

function folder(what: string, name: string | Buffer, expect: HostileExpectation): HostileRow {
  return {
    name: `a directory named ${what}`,
    build: (origin) => void putEntries(origin, [toFolder(origin, name, [toFile(origin, 'config')])]),
    expect,
  }
}

/**
 * Builds a row with this file next to a valid one. Tools cannot access the file. A checkout rejects
 * names that it cannot write exactly.
 */
function beside(what: string, name: string | Buffer, checkout: string): HostileRow {
  return {
    name: `inaccessible: a name with ${what}`,
    build: (origin) => void putEntries(origin, [toFile(origin, name), toFile(origin, 'z.md')]),
    expect: readable(['z.md'], checkout),
  }
}

/** Builds a row with unusual but valid names. */
function plain(what: string, ...names: readonly string[]): HostileRow {
  const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return {
    name: `readable: ${what}`,
    build: (origin) =>
      void putEntries(
        origin,
        sorted.map((name) => toFile(origin, name)),
      ),
    expect: readable([...names].sort()),
  }
}

const gitSpellings = [
  '.git',
  '.GIT',
  '.gIt',
  'git~1',
  'GIT~1',
  '.g\u200cit',
  '\ufeff.git',
  '.git.',
  '.git ',
  '.git . .',
  '.git::$INDEX_ALLOCATION',
  '.git:stream',
]

export const nameRows: readonly HostileRow[] = [
  named('.', '.', hostile),
  named('..', '..', hostile),
  folder('.', '.', hostile),
  folder('..', '..', hostile),
  named('""', '', hostile),
  folder('""', '', hostile),
  named('/etc/cron.d/x', '/etc/cron.d/x', hostile),
  named('../../x', '../../x', hostile),
  named('a/b', 'a/b', hostile),
  named('300 bytes', 'n'.repeat(300), hostile),
  named('4,096 bytes', 'n'.repeat(4_096), hostile),
  ...gitSpellings.map((name) => folder(JSON.stringify(name), name, hostile)),
  named('.git', '.git', hostile),
  {
    name: 'a symlink named .git',
    build: (origin) => void putEntries(origin, [toLink(origin, '.git', '/tmp')]),
    expect: hostile,
  },
  {
    name: 'a submodule named ..',
    build: (origin) => void putEntries(origin, [{ mode: '160000', name: '..', oid: '1'.repeat(40) }]),
    expect: hostile,
  },
  {
    name: 'a name that contains NUL',
    build: (origin) => void putEntries(origin, [toFile(origin, Buffer.from('a\0b'))]),
    expect: refused('unreadable_tree', 'hostile_tree', 'corrupt_pack'),
  },
  beside('backslashes', '..\\..\\evil.md', 'hostile_tree'),
  beside('a control character', 'a\u0001b.md', 'done'),
  beside('a line feed', 'a\nb.md', 'done'),
  beside('an escape sequence', '\u001b[2Ja.md', 'done'),
  beside('a line separator', 'a\u2028b.md', 'done'),
  beside('a byte that is not UTF-8', Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'done'),
  beside('an overlong encoding of a slash', Buffer.from([0x2e, 0x2e, 0xc0, 0xaf, 0x78]), 'done'),
  plain('the same name in composed and decomposed form', 'caf\u00e9.md', 'cafe\u0301.md'),
  plain('names that differ in case', 'README.md', 'readme.md', 'Readme.md'),
  plain('a name that reverses the text direction', 'a\u202egpj.md'),
  plain('Windows device names', 'CON', 'NUL.md', 'aux', 'com1.txt'),
  plain('trailing dots and spaces', 'a.', 'b ', 'c...'),
  plain('an alternate data stream', 'a:b.md', 'c.md:$DATA'),
  plain('.git after a space', ' .git'),
  plain('shell syntax', '$(touch x).md', '`touch y`.md', '--upload-pack=touch z', '-rf', '; rm -rf ~'),
  plain('markup', '<script>alert(1)</script'.replace('/', '.'), '"><img src=x>'),
  plain('names that look like NUL', 'a%00b.md', 'a\u2400b.md'),
  plain('a bare repository in the tree', 'HEAD', 'config', 'description', 'packed-refs'),
  {
    name: 'file modes that Git reads but does not write',
    build: (origin) => {
      const below = origin.store.tree([{ ...toFile(origin, 'b.md'), mode: '100664' }])
      putEntries(origin, [
        { ...toFile(origin, 'a.md'), mode: '100600' },
        { ...toLink(origin, 'link', 'a.md'), mode: '120664' },
        { mode: '040000', name: 'old', oid: below },
        { ...toFile(origin, 'run.sh'), mode: '100775' },
      ])
    },
    expect: readable(['a.md', 'link', 'old/b.md', 'run.sh']),
  },
  ...['10644', '100648', '140644', '0', '777777777777', '-1', '', '1e5', '160000\n'].map(
    (mode): HostileRow => ({
      name: `mode ${JSON.stringify(mode)}`,
      build: (origin) => void putEntries(origin, [{ ...toFile(origin, 'a'), mode }]),
      expect: unreadable,
    }),
  ),
  {
    name: 'a duplicate file',
    build: (origin) => void putEntries(origin, [toFile(origin, 'a'), toFile(origin, 'a', 'y')]),
    expect: hostile,
  },
  {
    name: 'a symlink and a directory with the same name',
    build: (origin) =>
      void putEntries(origin, [toLink(origin, 'a', '/tmp'), toFolder(origin, 'a', [toFile(origin, 'x')])]),
    expect: hostile,
  },
  {
    name: 'a directory followed by a symlink with the same name',
    build: (origin) =>
      void putEntries(origin, [toFolder(origin, 'a', [toFile(origin, 'x')]), toLink(origin, 'a', '/tmp')]),
    expect: hostile,
  },
  {
    name: 'a file and a later directory with the same name',
    build: (origin) =>
      void putEntries(origin, [
        toFile(origin, 'a'),
        toFile(origin, 'a.md'),
        toFolder(origin, 'a', [toFile(origin, 'x')]),
      ]),
    expect: hostile,
  },
  {
    name: 'entries out of order',
    build: (origin) => void putEntries(origin, [toFile(origin, 'b'), toFile(origin, 'a')]),
    expect: hostile,
  },
  {
    name: 'a tree truncated within an id',
    build: (origin) => {
      putTree(origin, origin.store.put('tree', Buffer.from('100644 a\0short')))
    },
    expect: unreadable,
  },
  {
    name: 'a tree of garbage bytes',
    build: (origin) => {
      putTree(origin, origin.store.put('tree', Buffer.alloc(5_000, 0xa5)))
    },
    expect: unreadable,
  },
]
