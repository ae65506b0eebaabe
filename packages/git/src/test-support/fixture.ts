import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FixtureFile {
  /** A string, or bytes for names that are not UTF-8. */
  readonly path: string | Buffer
  readonly mode?: '100644' | '100755' | '120000' | '160000' | '040000'
  /** Null deletes the path. For a submodule or an entire directory, its 40-digit ID. */
  readonly content: string | Uint8Array | null
}

interface TempDir extends Disposable {
  readonly path: string
}

export function makeTempDir(): TempDir {
  const path = mkdtempSync(join(tmpdir(), 'corrigenda-git-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) }
}

const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Fixture',
  GIT_AUTHOR_EMAIL: 'fixture@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_NAME: 'Fixture',
  GIT_COMMITTER_EMAIL: 'fixture@example.com',
  GIT_COMMITTER_DATE: '1700000000 +0000',
}

/** Runs the git command-line client and returns its output as bytes. */
export function runGitBytes(cwd: string, args: readonly string[], input?: string | Uint8Array, env = {}): Buffer {
  return execFileSync('git', args, {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
    ...(input === undefined ? {} : { input }),
  })
}

export function runGit(cwd: string, args: readonly string[], input?: string | Uint8Array, env = {}): string {
  return runGitBytes(cwd, args, input, env).toString('utf8').trim()
}

/** Creates a bare repository that serves partial clones and accepts pushes. */
export function createRepository(root: string, name: string, files: readonly FixtureFile[]): string {
  const dir = join(root, name)
  runGit(root, ['init', '--quiet', '--bare', '--initial-branch=main', name])
  appendFileSync(
    join(dir, 'config'),
    '[http]\n\treceivepack = true\n[uploadpack]\n\tallowFilter = true\n[gc]\n\tauto = 0\n',
  )
  if (files.length > 0) commitFiles(dir, 'main', files)
  return dir
}

let clock = 1_700_000_000

/** Adds one commit to a branch and returns its ID. */
export function commitFiles(dir: string, branch: string, files: readonly FixtureFile[], message = 'change'): string {
  const parts: (string | Uint8Array)[] = []
  const at = ++clock
  parts.push(`commit refs/heads/${branch}\ncommitter Fixture <fixture@example.com> ${at} +0000\n`)
  parts.push(`data ${Buffer.byteLength(message)}\n${message}\n`)
  if (hasBranch(dir, branch)) parts.push(`from refs/heads/${branch}^0\n`)
  for (const { path, mode = '100644', content } of files) {
    if (content === null) parts.push('D ', toFastImportPath(path), '\n')
    else if (mode === '160000' || mode === '040000') parts.push(`M ${mode} ${content} `, toFastImportPath(path), '\n')
    else {
      const bytes = Buffer.from(content as string)
      parts.push(`M ${mode} inline `, toFastImportPath(path), `\ndata ${bytes.length}\n`, bytes, '\n')
    }
  }
  runGit(dir, ['fast-import', '--quiet', '--force'], Buffer.concat(parts.map((part) => Buffer.from(part as string))))
  return readFileSync(join(dir, 'refs/heads', branch), 'utf8').trim()
}

/**
 * Returns true if the branch exists. Branches are stored as separate files until a gc packs them.
 */
function hasBranch(dir: string, branch: string): boolean {
  if (existsSync(join(dir, 'refs/heads', branch))) return true
  return (
    existsSync(join(dir, 'packed-refs')) && readFileSync(join(dir, 'packed-refs'), 'utf8').includes(`heads/${branch}\n`)
  )
}

/** Quotes a path for `git fast-import`. */
export function toFastImportPath(path: string | Buffer): Buffer {
  const escaped: number[] = [34]
  for (const byte of Buffer.from(path as string)) {
    if (byte === 34 || byte === 92) escaped.push(92, byte)
    else if (byte < 32) escaped.push(...Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`))
    else escaped.push(byte)
  }
  return Buffer.from([...escaped, 34])
}
