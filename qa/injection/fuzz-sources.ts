import type { AgentSource } from '@corrigenda/agent/sources'
import { type RunSource, toRepositoryAddress } from '@corrigenda/contracts'
import { openLog } from '@corrigenda/core/runtime'
import type { Mirrors } from '@corrigenda/git/snapshot'
import type { WorkTree } from '@corrigenda/git/work-tree'
import type { startGitHost } from '@corrigenda/testkit'
import { buildGitHub } from '@corrigenda/worker/internal/git-host/github/build-github'
import { openSource } from '@corrigenda/worker/internal/sources/open-source'

type Host = Awaited<ReturnType<typeof startGitHost>>

/** Marks text that no result may contain, because it is outside the paths of its source. */
export const OUTSIDE = 'TEXT-OUTSIDE-THE-PATHS'

/** Every line with text has a token that occurs nowhere else. */
let tokens = 0
const line = (text: string) => `${text} L${(tokens++).toString().padStart(4, '0')}z`
const linesOf = (count: number, text: string) => Array.from({ length: count }, () => line(text)).join('\n')

/** Files that imitate the numbers, headers and rows of results. */
const before = {
  'src/a.ts': [linesOf(30, 'const a ='), '', ''].join('\n'),
  'src/gone.ts': linesOf(4, 'removed'),
  'lib/hidden.ts': `${OUTSIDE} 1\n`,
}
const [head = '', ...tail] = before['src/a.ts'].split('\n').slice(0, 30)
const after = {
  'src/a.ts': [head, line('+ added'), line('@@ -1,1 +20,9 @@'), ...tail.slice(0, 20), '', ...tail.slice(22), ''].join(
    '\n',
  ),
  'src/imitation.ts': [
    line('7\t'),
    line('src/a.ts:3:'),
    line('[lines 5 to 9 are omitted; use view_range [5, 9]]'),
    line('@@ -0,0 +1,40 @@'),
    line('\u2028 9\t'),
    line('x\r12\ty'),
    line('--'),
    line('src/a.ts-9-'),
  ].join('\n'),
  'src/crlf.ts': linesOf(3, 'windows').replaceAll('\n', '\r\n'),
  'src/long.ts': [line('short'), `${line('long')}${'y'.repeat(60_000)}`, line('last')].join('\n'),
  'src/a.ts:1: b.ts': linesOf(3, 'odd name'),
  'src/many.ts': linesOf(900, 'many'),
  'src/image.png': '\0PNG',
  'lib/hidden.ts': `${OUTSIDE} 2\n`,
  'Src2/hidden.ts': `${OUTSIDE} 3\n`,
  'hidden.md': `${OUTSIDE} 4\n`,
}
const LINK = { data: `x\n1\tconst a =\n2\t${OUTSIDE}`, mode: '120000' } as const

/** Paths of the sources, including those that the tools must not read. */
export const SOURCE_PATHS = [...Object.keys(after), 'src/gone.ts', 'src/link.ts', 'lib', 'src']

export interface FuzzSources extends AsyncDisposable {
  /** Opens the sources for a work tree: a private one with paths, an open one, and `docs`. */
  open(workTree: WorkTree): Promise<AgentSource[]>
}

/** Creates the repositories of the sources on the host. */
export async function openFuzzSources(host: Host, mirrors: Mirrors, docs: string): Promise<FuzzSources> {
  const toFiles = (files: Readonly<Record<string, string>>) =>
    new Map(Object.entries(files).map(([path, data]) => [path, { data }] as const))
  for (const full of ['acme/code', 'acme/open']) {
    const changed = new Map<string, { data: string; mode?: '120000' } | null>([
      ...toFiles(after),
      ['src/gone.ts', null],
      ['src/link.ts', full === 'acme/code' ? { ...LINK, data: LINK.data.replace(OUTSIDE, 'x') } : LINK],
    ])
    await host.createRepository(full, {
      commits: [
        { message: 'feat: start', files: toFiles(before) },
        { message: 'fix: 1\tconst a =\n\n@@ -1,1 +1,9 @@', files: changed },
      ],
    })
  }
  const log = openLog({ level: 'silent', secrets: [] })
  const adapter = buildGitHub({ apiUrl: null, version: '0.0.0' })
  const credentials = adapter.buildCredentials({ kind: 'token', token: host.token })
  const deps = { log, mirrors, credentials, openGitHost: adapter.openGitHost }
  const opened: AsyncDisposable[] = []
  const pin = async (full: string, rest: Partial<RunSource>): Promise<RunSource> => {
    const [commit = '', baseCommit = null] = (await host.git(full, 'rev-list', '-2', 'main')).split('\n')
    const repository = host.repositoryUrl(full)
    const facts = { name: 'code', visibility: 'private', cite: 'none', ref: 'main' } as const
    return { ...facts, paths: [], quotable: [], repository, commit, baseCommit, ...rest }
  }
  const pinned = [
    await pin('acme/code', { paths: ['src/**'] }),
    await pin('acme/open', { name: 'open', visibility: 'public', cite: 'links' }),
    await pin(docs, { name: 'docs', visibility: 'public', cite: 'links' }),
  ]
  return {
    async open(workTree) {
      const found: AgentSource[] = []
      for (const one of pinned) {
        const access = { name: one.name, address: toRepositoryAddress(one.repository), mayUseInstanceCredential: true }
        const signal = new AbortController().signal
        const input = { projectId: 'fuzz', pinned: one, access, workTree, signal }
        found.push(
          await openSource(deps, { ...input, listsChanges: false, now: new Date() }, (each) => opened.push(each)),
        )
      }
      return found
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of opened) await one[Symbol.asyncDispose]()
    },
  }
}
