import { execFileSync } from 'node:child_process'
import { buildCode, toCodePath } from './build-code.ts'

export const FILES = 20_000
export const COMMITS = 400
/** Commits of the last 14 days, the recent changes of a job. */
const RECENT = 60
const CHANGED_PER_COMMIT = 3
const DAY = 86_400

/** Fills a bare repository with generated code and a history. Returns the total size of its files. */
export function buildOrigin(dir: string): number {
  const now = Math.floor(Date.now() / 1000)
  let bytes = 0
  const first = Array.from({ length: FILES }, (_, file) => {
    const content = buildCode(file)
    bytes += Buffer.byteLength(content)
    return toFile(file, content)
  })
  const history = Array.from({ length: COMMITS - 1 }, (_, n) => {
    const age = COMMITS - 1 - n
    const seconds = age <= RECENT ? age * 0.2 * DAY : 14 * DAY + (age - RECENT) * DAY
    return toCommit(n + 1, now - Math.floor(seconds), '')
  })
  importStream(dir, [toHeader('feat: start', now - 600 * DAY), ...first, ...history.flat()])
  execFileSync('git', ['-C', dir, 'repack', '-adq', '--window=10'])
  return bytes
}

/** Commits changes to a few files, as another author would. */
export function moveOn(dir: string, number: number): void {
  importStream(dir, toCommit(COMMITS + number, Math.floor(Date.now() / 1000), 'from refs/heads/main^0\n'))
}

function toCommit(number: number, time: number, from: string): string[] {
  const files = Array.from({ length: CHANGED_PER_COMMIT }, (_, n) => (number * 37 + n * 4_001) % FILES)
  const subject = `fix(${number % 7}): limit ${number} of the settlement batch (#${number})`
  return [toHeader(subject, time), from, ...files.map((file) => toFile(file, buildCode(file, number)))]
}

function toHeader(subject: string, time: number): string {
  const size = Buffer.byteLength(subject)
  return `commit refs/heads/main\ncommitter Bench <bench@example.com> ${time} +0000\ndata ${size}\n${subject}\n`
}

function toFile(file: number, content: string): string {
  return `M 100644 inline ${toCodePath(file)}\ndata ${Buffer.byteLength(content)}\n${content}\n`
}

function importStream(dir: string, parts: readonly string[]): void {
  execFileSync('git', ['-C', dir, 'fast-import', '--quiet'], { input: parts.join(''), maxBuffer: 1 << 30 })
}
