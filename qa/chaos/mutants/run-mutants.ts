import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { checkBaseline } from './check-baseline.ts'
import { copyWorkTree } from './copy-work-tree.ts'
import type { Mutant, Verdict } from './mutant.ts'
import { tryMutant } from './try-mutant.ts'

export interface MutantResult {
  readonly mutant: Mutant
  readonly verdict: Verdict
  readonly seconds: number
}

export interface RunMutantsInput {
  /** Root of the repository; read and never changed. */
  readonly root: string
  readonly mutants: readonly Mutant[]
  /** Mutants at the same time, each in a copy of its own. */
  readonly jobs: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
  readonly onBaseline?: (baseline: { passed: number; seconds: number }) => void
  readonly onResult?: (result: MutantResult) => void
}

/**
 * Switches the guards off one by one, in temporary copies of the tree, and sees which tests notice. Results come in the order of the mutants.
 * @throws Error when tests fail with all guards on, or the tree cannot be copied
 */
export async function runMutants(input: RunMutantsInput): Promise<MutantResult[]> {
  const { root, mutants, signal } = input
  const jobs = Math.max(1, Math.min(input.jobs, mutants.length))
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-mutants-'))
  const scratch = path.join(dir, 'tmp')
  // What a test that was cut off leaves behind goes with the copies. A database server that runs as another account has to get in.
  const env = { ...input.env, TMPDIR: scratch }
  try {
    await mkdir(scratch)
    for (const open of [dir, scratch]) await chmod(open, 0o755)
    const copies = Array.from({ length: jobs }, (_, index) => ({
      root: path.join(dir, String(index + 1)),
      env,
      signal,
    }))
    for (const copy of copies) await copyWorkTree(root, copy.root)
    const [first] = copies
    if (!first) return []
    const baseline = await checkBaseline(first, mutants, jobs)
    input.onBaseline?.(baseline)
    const results = new Map<Mutant, MutantResult>()
    const queue = [...mutants]
    const work = async (copy: (typeof copies)[number]) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        signal?.throwIfAborted()
        const result = { mutant, ...(await tryMutant(copy, mutant)) }
        results.set(mutant, result)
        input.onResult?.(result)
      }
    }
    const ends = await Promise.allSettled(copies.map((copy) => work(copy).finally(() => queue.splice(0))))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return mutants.flatMap((mutant) => results.get(mutant) ?? [])
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
