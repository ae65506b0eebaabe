import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { MOTLEY_FILES, runEditScript } from '../test-support/edit-scripts.ts'
import { commitFiles, type FixtureFile, runGit, runGitBytes, toFastImportPath } from '../test-support/fixture.ts'
import { commitTree, type HandMadeEntry, writeBlob, writeTree } from '../test-support/hand-made-tree.ts'
import { type Harness, startHarness } from '../test-support/harness.ts'
import { openWorkTree } from '../work-tree/open-work-tree.ts'
import type { OverlayEntry } from '../work-tree/overlay.ts'
import { type BuiltCommit, buildCommit } from './build-commit.ts'
import { pushBranch } from './push-branch.ts'

const who = { name: 'Corrigenda', email: 'bot@example.com' }
let host: Harness
let snapshot: Snapshot

beforeAll(async () => {
  host = await startHarness(MOTLEY_FILES)
  snapshot = await host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: 'main', token: host.token })
})
afterAll(async () => {
  await snapshot[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})

function build(changes: readonly OverlayEntry[], from = snapshot): Promise<BuiltCommit | null> {
  return buildCommit({
    snapshot: from,
    changes,
    message: 'Edit',
    author: who,
    committer: who,
    timestamp: 1_800_000_000,
  })
}

/**
 * Builds one tree per script with git itself. A single `git fast-import` applies each script to the
 * base commit.
 */
function buildWithGit(scripts: readonly (readonly OverlayEntry[])[]): string[] {
  const stream = scripts.flatMap((edits, i) => [
    `commit refs/differential/${String(i).padStart(4, '0')}\n`,
    `committer ${who.name} <${who.email}> 1800000000 +0000\ndata 0\nfrom ${snapshot.commit}\n`,
    // Deletions come first, because a file may replace a removed directory.
    ...edits.flatMap(({ path, content }) => (content === null ? ['D ', toFastImportPath(path), '\n'] : [])),
    ...edits.flatMap(({ path, mode, content }) =>
      content === null
        ? []
        : [`M ${mode} inline `, toFastImportPath(path), `\ndata ${content.length}\n`, content, '\n'],
    ),
  ])
  runGit(host.origin, ['fast-import', '--quiet'], Buffer.concat(stream.map((part) => Buffer.from(part))))
  return runGit(host.origin, ['for-each-ref', '--format=%(tree)', 'refs/differential']).split('\n')
}

describe('a commit', () => {
  it('matches the tree that git builds from the same edits, for 50 random scripts', async () => {
    const scripts: (readonly OverlayEntry[])[] = []
    for (let seed = 1; seed <= 50; seed++) {
      const tree = await openWorkTree({ snapshot })
      await runEditScript(tree, seed)
      scripts.push(tree.overlay())
    }
    const expected = buildWithGit(scripts)
    expect(expected).toHaveLength(50)
    let changed = 0
    for (const [i, edits] of scripts.entries()) {
      const built = await build(edits)
      expect([i + 1, built?.tree ?? snapshot.tree]).toEqual([i + 1, expected[i]])
      if (built) changed++
    }
    expect(changed).toBeGreaterThan(35)
  })

  it('is null when the tree does not change', async () => {
    const tree = await openWorkTree({ snapshot })
    await tree.write('README.md', Buffer.from('other\n'))
    await tree.write('README.md', Buffer.from('# Read me\n'))
    expect(await build(tree.overlay())).toBeNull()
    const same = Buffer.from('# Read me\n')
    expect(await build([{ path: 'README.md', mode: '100644', content: same }])).toBeNull()
  })

  it('has the same ID for the same content, author, committer and time', async () => {
    const changes: OverlayEntry[] = [
      { path: 'docs/new.md', mode: '100644', content: Buffer.from('new\n') },
      { path: 'docs/a.md', mode: '100644', content: null },
    ]
    const one = await build(changes)
    const two = await build([...changes].reverse())
    expect(two?.commit).toBe(one?.commit)
    expect(Buffer.from(two?.pack ?? []).length).toBe(one?.pack.length)
    const later = await buildCommit({
      snapshot,
      changes,
      message: 'Edit',
      author: who,
      committer: who,
      timestamp: 1_800_000_001,
    })
    expect(later?.commit).not.toBe(one?.commit)
  })

  it('rejects names that the work tree rejects', async () => {
    for (const path of ['../x', '.git/config', 'docs/..', 'a\\b', 'docs/.GIT/x']) {
      await expect(build([{ path, mode: '100644', content: Buffer.from('x') }])).rejects.toMatchObject({
        code: 'invalid_path',
      })
    }
  })

  it('does not allow header injection through an author name or email address', async () => {
    const author = { name: 'Eve <x>\nparent 1', email: 'e>\n@x' }
    const changes: OverlayEntry[] = [{ path: 'n.md', mode: '100644', content: Buffer.from('n') }]
    const input = { snapshot, changes, message: 'Edit\n', author, committer: who, timestamp: 1_800_000_000 }
    const built = await buildCommit(input)
    if (!built) throw new Error('expected a commit')
    await pushBranch({ http: { url: host.url, token: host.token }, branch: 'eve', expected: null, built })
    runGit(host.origin, ['fsck', '--strict'])
    expect(runGit(host.origin, ['log', '-1', '--format=%an|%P', 'eve'])).toBe(`Eve x parent 1|${snapshot.commit}`)
  })

  it('can delete every file', async () => {
    const oneFile: FixtureFile[] = [{ path: 'dir/only.md', content: 'only\n' }]
    await using bare = await startHarness(oneFile)
    await using only = await bare.mirrors.openSnapshot({ tenant: 't', url: bare.url, branch: null, token: bare.token })
    const built = await build([{ path: 'dir/only.md', mode: '100644', content: null }], only)
    expect(built?.tree).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
  })
})

describe('a repository with 300 pages and unusual entries', () => {
  const oddFiles: FixtureFile[] = Array.from({ length: 300 }, (_, i) => ({
    path: `content/ключ-${i % 30}/头-${i}.md`,
    content: `# Page ${i}\r\n\r\ntext\r\n`,
    mode: i % 50 === 0 ? '100755' : '100644',
  }))
  oddFiles.push(
    ...MOTLEY_FILES,
    { path: Buffer.from('content/ключ-7/caf\xe9.md', 'latin1'), content: 'latin\n' },
    {
      path: Buffer.concat([
        Buffer.from('content/ключ-7/'),
        Buffer.from([0x63, 0x61, 0x66, 0xe9]),
        Buffer.from('/in.md'),
      ]),
      content: 'in\n',
    },
    {
      path: Buffer.concat([Buffer.from('content/ключ-7/'), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]),
      content: 'ff\n',
    },
    { path: 'content/ключ-7/back\\slash.md', content: 'slash\n' },
    { path: 'content/ключ-7/Icon\r', content: '' },
  )

  it('is unchanged except for the edited page', async () => {
    await using odd = await startHarness(oddFiles)
    // Adds entries with mode 100664, which old versions of git wrote, next to the edited page and
    // in the root directory.
    const rewrite = (tree: string, change: (line: string) => string) => {
      const lines = runGitBytes(odd.origin, ['ls-tree', '-z', tree]).toString('latin1').split('\0').filter(Boolean)
      const raw = lines.map(change).map((line) => {
        const [, mode = '', oid = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
        const head = Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1')
        return Buffer.concat([head, Buffer.from(oid, 'hex')])
      })
      return runGit(odd.origin, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], Buffer.concat(raw))
    }
    const old = (line: string) => line.replace(/^100644/, '100664')
    const folder = Buffer.from('ключ-7').toString('latin1')
    const inner = rewrite('main:content/ключ-7', (line) => (/-(37|67)\.md$/.test(line) ? old(line) : line))
    const content = rewrite('main:content', (line) =>
      line.endsWith(`\t${folder}`) ? line.replace(/[0-9a-f]{40}/, inner) : line,
    )
    const root = rewrite('main', (line) =>
      line.endsWith('\tcontent')
        ? line.replace(/[0-9a-f]{40}/, content)
        : line.endsWith('\tREADME.md')
          ? old(line)
          : line,
    )
    const base = runGit(odd.origin, ['commit-tree', root, '-p', 'main', '-m', 'old modes'])
    runGit(odd.origin, ['update-ref', 'refs/heads/main', base])

    await using from = await odd.mirrors.openSnapshot({ tenant: 't', url: odd.url, branch: null, token: odd.token })
    expect(from.commit).toBe(base)
    const tree = await openWorkTree({ snapshot: from })
    const listed = new Set((await tree.list()).map((entry) => entry.path))
    expect(listed.size).toBe(300 + MOTLEY_FILES.length)
    const page = 'content/ключ-7/头-97.md'
    const before = Buffer.from(await tree.read(page)).toString()
    expect(before).toBe('# Page 97\r\n\r\ntext\r\n')
    await tree.write(page, Buffer.from(`${before}more\r\n`))
    const built = await build(tree.overlay(), from)
    if (!built) throw new Error('expected a commit')
    expect(built.objects).toHaveLength(5)
    await pushBranch({ http: { url: odd.url, token: odd.token }, branch: 'edit', expected: null, built })
    const diff = runGitBytes(odd.origin, ['diff-tree', '-r', '--raw', '-z', base, built.commit]).toString().split('\0')
    expect(diff.filter(Boolean)).toEqual([expect.stringMatching(/^:100644 100644 [0-9a-f]{40} [0-9a-f]{40} M$/), page])
    runGit(odd.origin, ['fsck', '--connectivity-only'])

    await tree.write('content/ключ-7/头-37.md', Buffer.from('now\n'))
    const second = await build(tree.overlay(), from)
    if (!second) throw new Error('expected a commit')
    await pushBranch({ http: { url: odd.url, token: odd.token }, branch: 'edit2', expected: null, built: second })
    // diff-tree shows 100664 as 100644, so the old modes are read from the tree itself.
    const oldModes = (commit: string) => {
      const raw = runGitBytes(odd.origin, ['cat-file', 'tree', `${commit}:content/ключ-7`]).toString()
      return [...raw.matchAll(/100664 [^\0]*-(\d+)\.md/g)].map((match) => match[1])
    }
    expect([base, built.commit, second.commit].map(oldModes)).toEqual([['37', '67'], ['37', '67'], ['67']])
  })
})

it('keeps the bytes of entries whose modes Git reads but does not write', async () => {
  await using host = await startHarness([])
  const entries: HandMadeEntry[] = [
    { mode: '100600', name: 'a.md', content: 'a' },
    { mode: '40755', name: 'folder', tree: [{ mode: '100664', name: 'b.md', content: 'b' }] },
    { mode: '120777', name: 'link', content: 'a.md' },
    { mode: '040000', name: 'old', tree: [{ mode: '100644', name: 'c.md', content: 'c' }] },
    { mode: '100644', name: 'page.md', content: 'page' },
    { mode: '100775', name: 'run.sh', content: 'run' },
    { mode: '160644', name: 'vendor', oid: '1'.repeat(40) },
  ]
  const root = writeTree(host.origin, entries)
  commitTree(host.origin, root)
  await using from = await host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
  const tree = await openWorkTree({ snapshot: from })
  expect((await tree.list()).map(({ path, kind, executable }) => [path, kind, executable])).toEqual([
    ['a.md', 'file', false],
    ['folder/b.md', 'file', false],
    ['link', 'symlink', false],
    ['old/c.md', 'file', false],
    ['page.md', 'file', false],
    ['run.sh', 'file', true],
    ['vendor', 'submodule', false],
  ])
  await tree.write('page.md', Buffer.from('edited'))
  // An entry with its old content, and one in a folder, as changes read back from storage.
  const same: OverlayEntry[] = [
    { path: 'a.md', mode: '100644', content: Buffer.from('a') },
    { path: 'old/c.md', mode: '100644', content: Buffer.from('c') },
  ]
  const built = await build([...tree.overlay(), ...same], from)
  if (!built) throw new Error('expected a commit')
  await pushBranch({ http: { url: host.url, token: host.token }, branch: 'edit', expected: null, built })
  const read = (tree: string) => runGitBytes(host.origin, ['cat-file', 'tree', tree]).toString('latin1')
  const withPage = (content: string) => Buffer.from(writeBlob(host.origin, content), 'hex').toString('latin1')
  expect(read(built.tree)).toBe(read(root).replace(withPage('page'), withPage('edited')))
})

it('a push sends only new objects, even after the base branch has moved', async () => {
  const tree = await openWorkTree({ snapshot })
  await tree.write('docs/a/one.md', Buffer.from('one edited\n'))
  const built = await build(tree.overlay())
  if (!built) throw new Error('expected a commit')
  // These are the blob, the trees for docs/a, docs and the root, and the commit.
  expect(built.objects).toHaveLength(5)
  commitFiles(host.origin, 'main', [{ path: 'other.md', content: 'x'.repeat(50_000) }])
  host.server.requests.length = 0
  await pushBranch({ http: { url: host.url, token: host.token }, branch: 'exact', expected: null, built })
  expect(host.server.requests.map((request) => `${request.method} ${request.url}`)).toEqual([
    'POST /docs.git/git-receive-pack',
  ])
  expect(host.server.requests[0]?.bytesIn).toBeLessThan(2_000)
  expect(runGit(host.origin, ['rev-parse', 'exact^'])).toBe(snapshot.commit)
})
