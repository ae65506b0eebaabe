import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Origin {
  readonly dir: string
  readonly paths: readonly string[]
  /** Commits a change to one page on main, as another author would. */
  moveOn(): void
}

const words =
  'the a an request response page field value token project deploy branch commit review guide option default example when you call this returns error list create update delete'.split(
    ' ',
  )

/**
 * Creates a bare repository of generated pages of about 4 kB each. The content depends only on the
 * number of files. Every 50th page contains `needle-<n>`.
 */
export function buildOrigin(root: string, name: string, files: number): Origin {
  const dir = join(root, name)
  // The repository can exist already, without commits.
  execFileSync('git', ['-c', 'init.defaultBranch=main', 'init', '--quiet', '--bare', dir])
  appendFileSync(
    join(dir, 'config'),
    '[http]\n\treceivepack = true\n[uploadpack]\n\tallowFilter = true\n[gc]\n\tauto = 0\n[receive]\n\tautogc = false\n',
  )
  const perFolder = 100
  const toPath = (i: number) =>
    `docs/section-${Math.floor(i / perFolder) % 12}/topic-${Math.floor(i / perFolder)}/page-${i}.md`
  const paths = Array.from({ length: files }, (_, i) => toPath(i))
  const parts = [header(1_700_000_000)]
  for (const [i, path] of paths.entries()) parts.push(file(path, page(i, 0)))
  importStream(dir, parts)
  execFileSync('git', ['-C', dir, 'repack', '-adq', '--window=10'])
  let moves = 0
  return {
    dir,
    paths,
    moveOn() {
      moves++
      const i = (moves * 37) % files
      importStream(dir, [header(1_700_000_000 + moves), 'from refs/heads/main^0\n', file(toPath(i), page(i, moves))])
    },
  }
}

function importStream(dir: string, parts: readonly string[]): void {
  execFileSync('git', ['-C', dir, 'fast-import', '--quiet'], { input: parts.join('') })
}

function header(time: number): string {
  return `commit refs/heads/main\ncommitter Bench <bench@example.com> ${time} +0000\ndata 4\nmove\n`
}

function file(path: string, content: string): string {
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`
}

function page(i: number, version: number): string {
  let state = (i * 7_919 + 17) | 0
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return words[(state >> 8) % words.length] ?? ''
  }
  const lines = [`---\ntitle: Page ${i}\n---\n\n# Page ${i}, version ${version}\n`]
  for (let line = 0; line < 55; line++) lines.push(`${Array.from({ length: 12 }, next).join(' ')}.\n`)
  if (i % 50 === 0) lines.push(`needle-${i}\n`)
  return lines.join('')
}
