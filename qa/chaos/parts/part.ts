import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readTables } from '../check/read-tables.ts'
import { openStack, type QueueKind, type Stack, type StackInput } from '../stack/open-stack.ts'

export interface PartOptions {
  readonly queue: QueueKind
  readonly seed: number
  /** Runs fewer jobs and injects fewer faults, for CI. */
  readonly short: boolean
  readonly say: (line: string) => void
  /** Stops the campaign gracefully. */
  readonly signal: AbortSignal
}

export interface PartResult {
  readonly part: string
  readonly queue: QueueKind
  readonly seconds: number
  readonly figures: Readonly<Record<string, string | number>>
  readonly violations: readonly string[]
  /** Folder with the history and logs of a failed run. */
  readonly kept: string | null
}

/** Runs a part on a separate installation. Keeps its files for inspection after a failure. */
export async function withStack(
  part: string,
  input: StackInput & { signal: AbortSignal },
  work: (stack: Stack) => Promise<Pick<PartResult, 'figures' | 'violations'>>,
): Promise<PartResult> {
  const started = Date.now()
  const stack = await openStack(input)
  const toResult = (result: Pick<PartResult, 'figures' | 'violations'>): PartResult => {
    const kept = result.violations.length > 0 ? stack.dir : null
    return { part, queue: input.queue, seconds: (Date.now() - started) / 1000, ...result, kept }
  }
  try {
    const result = toResult(await Promise.race([work(stack), untilAborted(input.signal)]))
    if (result.kept !== null) await saveTables(stack)
    await stack.close(result.kept !== null)
    return result
  } catch (error) {
    const violations = [`the campaign itself failed: ${toReason(error)}`]
    await saveTables(stack).catch((lost: unknown) =>
      violations.push(`the tables could not be saved: ${toReason(lost)}`),
    )
    await stack.close(true)
    return toResult({ figures: {}, violations })
  }
}

const toReason = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

async function saveTables({ database, dir }: Stack): Promise<void> {
  const { events, transcripts, ...rows } = await readTables(database)
  const tables = { ...rows, events: [...events.values()].flat(), transcripts: [...transcripts.values()] }
  await writeFile(path.join(dir, 'tables.json'), JSON.stringify(tables))
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Error('stopped on request'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
