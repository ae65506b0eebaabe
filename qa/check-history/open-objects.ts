import { spawn } from 'node:child_process'
import { runGit } from './run-git.ts'

export interface GitEntry {
  readonly path: string
  readonly mode: string
  readonly oid: string
}

/** The clone does not contain an object. */
export class MissingObjectError extends Error {
  constructor(oid: string) {
    super(`Object ${oid} is not in the clone. Clone with a greater depth and without a filter.`)
    this.name = 'MissingObjectError'
  }
}

/** A clone's objects, read by one persistent `git cat-file` process. Must be closed. */
export interface GitObjects {
  /** Returns every entry of a commit's tree. */
  listTree(commit: string): Promise<readonly GitEntry[]>
  readBlob(oid: string): Promise<Uint8Array>
  close(): void
}

/**
 * Opens a clone for reading.
 * @param folder a work tree or a bare repository
 */
export function openObjects(folder: string): GitObjects {
  const child = spawn('git', ['-C', folder, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting: { resolve(bytes: Uint8Array): void; reject(error: Error): void }[] = []
  let held = Buffer.alloc(0)
  const fail = () => {
    for (const { reject } of waiting.splice(0)) reject(new Error('git cat-file exited.'))
  }
  child.once('error', fail)
  child.once('close', fail)
  child.stdout.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const end = held.indexOf(10)
      const [oid = '', type, size] = end === -1 ? [] : held.subarray(0, end).toString('latin1').split(' ')
      if (end === -1) return
      const isMissing = type === 'missing'
      const last = end + 1 + (isMissing ? 0 : Number(size) + 1)
      if (held.length < last) return
      const bytes = Uint8Array.from(held.subarray(end + 1, Math.max(end + 1, last - 1)))
      held = held.subarray(last)
      const next = waiting.shift()
      if (isMissing) next?.reject(new MissingObjectError(oid))
      else next?.resolve(bytes)
    }
  })
  return {
    async listTree(commit) {
      const rows = await runGit(folder, ['ls-tree', '-r', '-z', '--full-tree', commit])
      return rows.split('\0').flatMap((row) => {
        const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(row) ?? []
        return mode === undefined || oid === undefined || path === undefined ? [] : [{ mode, oid, path }]
      })
    },
    readBlob: (oid) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${oid}\n`)
      }),
    close: () => child.stdin.end(),
  }
}
