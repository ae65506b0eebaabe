import { findLeaks } from '@corrigenda/agent/leaks'
import type { WorkspaceChange, WorkspaceEntry } from '@corrigenda/git/workspace'

export interface GuardMeasurement {
  readonly files: number
  readonly bytes: number
  /** CPU time of findLeaks without the time that the files take to generate. */
  readonly cpuMs: number
  readonly wallMs: number
  /**
   * Most CPU time between two turns of the event loop, without the time that the files take to
   * generate. Unlike the elapsed time, it hardly depends on the load of the machine.
   */
  readonly blockMs: number
  /** Largest growth of the resident memory. */
  readonly peakBytes: number
  readonly leaks: number
}

export interface GuardLoad {
  readonly files: number
  readonly bytesPerFile: number
  /** Bytes that the change adds. */
  readonly addedBytes: number
}

const NAMES = 'invoice ledger account refund posting balance currency period tenant region shard queue worker'.split(
  ' ',
)
const VERBS = 'load store open close settle collect merge split count verify render schedule'.split(' ')

/** Generates code whose lines occur in one file each. `isWide` adds letters outside ASCII. */
export function buildCode(file: number, bytes: number, isWide = false): Uint8Array {
  let state = (file * 2_654_435_761) >>> 0
  const next = (list: readonly string[]) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return list[(state >>> 8) % list.length] ?? ''
  }
  const lines = isWide ? ['// Prüft die Größe.'] : []
  let size = 0
  for (let line = 0; size < bytes; line += 1) {
    const text = `  const ${next(NAMES)}${line} = await ${next(VERBS)}${next(NAMES)}(${next(NAMES)}, { ${next(NAMES)}: ${state % 10_000} })`
    lines.push(text)
    size += text.length + 1
  }
  return Buffer.from(lines.join('\n'))
}

/** Measures the guard with a change that has nothing from the source except one passage at the end. */
export async function measureGuard({ files, bytesPerFile, addedBytes }: GuardLoad): Promise<GuardMeasurement> {
  const entries = Array.from(
    { length: files },
    (_, file): WorkspaceEntry => ({ path: `src/part-${file % 97}/file-${file}.ts`, kind: 'file', executable: false }),
  )
  let generated = 0
  let bytes = 0
  const read = async (path: string) => {
    const start = process.cpuUsage()
    const file = Number(/(\d+)\.ts$/.exec(path)?.[1])
    const content = buildCode(file, bytesPerFile, file % 10 === 0)
    bytes += content.length
    const { user, system } = process.cpuUsage(start)
    generated += user + system
    return content
  }
  const passage = Buffer.from(buildCode(files - 1, bytesPerFile))
    .toString()
    .split('\n')
    .slice(0, 8)
    .join('\n')
  const prose = Buffer.from(buildCode(files + 1, addedBytes)).toString()
  const after = Buffer.from(`# Page\n\n${prose}\n\n${passage}\n`)
  const changes: WorkspaceChange[] = [{ path: 'docs/page.md', kind: 'added', before: null, after }]
  const memory = process.memoryUsage().rss
  let peak = memory
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const cpu = process.cpuUsage()
  let last = { cpu, generated }
  let block = 0
  const turn = setInterval(() => {
    const { user, system } = process.cpuUsage(last.cpu)
    block = Math.max(block, user + system - (generated - last.generated))
    last = { cpu: process.cpuUsage(), generated }
  }, 1)
  const start = performance.now()
  const leaks = await findLeaks({
    changes,
    title: null,
    body: '',
    base: { listBase: async () => [], readBase: async () => null },
    sources: [
      {
        name: 'code',
        visibility: 'private',
        cite: 'none',
        quotable: [],
        repository: 'https://git.example.com/code.git',
        reader: { list: async () => entries, read },
      },
    ],
  })
  const wallMs = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(timer)
  clearInterval(turn)
  return {
    files,
    bytes,
    cpuMs: (user + system - generated) / 1000,
    wallMs,
    blockMs: block / 1000,
    peakBytes: peak - memory,
    leaks: leaks.length,
  }
}
