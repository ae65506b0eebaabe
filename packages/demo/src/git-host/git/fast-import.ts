import type { FileChange, FileChanges } from '../host/types.ts'

export interface ImportedCommit {
  readonly message: string
  readonly files: FileChanges
  /** Author and committer time. */
  readonly at: Date
  readonly author: { readonly name: string; readonly email: string }
}

/**
 * Builds a stream for `git fast-import` that adds commits on top of `from` (a commit ID, or null to
 * start a new history) and points `ref` at the last one. Deletions precede other changes, so that a
 * file can replace a folder.
 */
export function buildFastImport(ref: string, from: string | null, commits: readonly ImportedCommit[]): Buffer {
  const parts: (string | Uint8Array)[] = ['feature done\n']
  commits.forEach((commit, index) => {
    const who = `${commit.author.name} <${commit.author.email}> ${Math.floor(commit.at.getTime() / 1000)} +0000`
    parts.push(`commit ${ref}\nauthor ${who}\ncommitter ${who}\n`, ...toData(commit.message))
    if (index === 0 && from) parts.push(`from ${from}\n`)
    const changes = [...commit.files]
    for (const [path, change] of changes) if (change === null) parts.push(`D ${quotePath(path)}\n`)
    for (const [path, change] of changes) if (change !== null) parts.push(...toModification(path, change))
    parts.push('\n')
  })
  parts.push('done\n')
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

function toModification(path: string, { data, mode = '100644' }: FileChange): (string | Uint8Array)[] {
  if (mode === '160000') return [`M 160000 ${Buffer.from(data).toString()} ${quotePath(path)}\n`]
  return [`M ${mode} inline ${quotePath(path)}\n`, ...toData(data)]
}

function toData(content: string | Uint8Array): (string | Uint8Array)[] {
  const bytes = Buffer.from(content)
  return [`data ${bytes.length}\n`, bytes, '\n']
}

function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`
}
