import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { History } from '../history/history.ts'

interface ProcessInput {
  /** Name of the process in the history. */
  readonly name: string
  /** Arguments for the Node executable: Node options, the script and its arguments. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly logFile: string
}

/** A supervised service. It is restarted whenever it exits, until it is retired. */
export interface SupervisedProcess {
  readonly name: string
  readonly logFile: string
  /** Returns null between an exit and the next start. */
  pid(): number | null
  isStopped(): boolean
  /** True if the process has reported that it is ready and has not been asked to exit. */
  isReady(): boolean
  noteReady(): void
  /**
   * Sends a signal that ends the process.
   * @returns the pid of the process, or null if none is running
   */
  end(signal: 'SIGKILL' | 'SIGTERM'): number | null
  /** Sends SIGSTOP. `resume` reverses it. */
  pause(): number | null
  resume(): void
  /** Marks the next exit as requested. */
  expectEnd(): void
  /**
   * Ends the process without a restart and waits for it to exit. Kills it after 20 s. Returns the
   * exit code.
   */
  retire(signal?: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

const RESTART_MS = 20
/** Limits the restart rate of a process that cannot start. */
const SHORT_LIFE_MS = 1_000
const RETIRE_LIMIT_MS = 20_000

export function superviseProcess(history: History, input: ProcessInput): SupervisedProcess {
  const { name, args, cwd, logFile } = input
  let child: ChildProcess | null = null
  let expected = false
  let stopped = false
  let ready = false
  let retired = false
  let gone: Promise<number | null> = Promise.resolve(null)

  const start = () => {
    if (retired) return
    const log = openSync(logFile, 'a')
    const started = Date.now()
    // Standard input closes when this process exits, which signals the child to exit.
    const running = spawn(process.execPath, [...args], { cwd, env: { ...input.env }, stdio: ['pipe', log, log] })
    closeSync(log)
    child = running
    expected = false
    stopped = false
    running.stdin?.on('error', () => {})
    if (running.pid !== undefined) history.add({ kind: 'start', process: name, pid: running.pid })
    gone = new Promise((resolve) => {
      running.once('exit', (code, signal) => {
        child = null
        ready = false
        history.add({ kind: 'exit', process: name, pid: running.pid ?? 0, code, signal, byItself: !expected })
        setTimeout(start, Date.now() - started < SHORT_LIFE_MS ? 500 : RESTART_MS)
        resolve(code)
      })
    })
  }
  const send = (signal: NodeJS.Signals): number | null => (child?.kill(signal) ? (child.pid ?? null) : null)
  start()
  return {
    name,
    logFile,
    pid: () => child?.pid ?? null,
    isStopped: () => stopped,
    isReady: () => ready,
    noteReady() {
      ready = true
    },
    end(signal) {
      expected = true
      ready = false
      return send(signal)
    },
    pause() {
      const pid = send('SIGSTOP')
      stopped = pid !== null
      return pid
    },
    resume() {
      stopped = false
      send('SIGCONT')
    },
    expectEnd() {
      expected = true
    },
    async retire(signal = 'SIGTERM') {
      retired = true
      expected = true
      send(signal)
      send('SIGCONT')
      const late = setTimeout(() => send('SIGKILL'), RETIRE_LIMIT_MS)
      const code = await gone
      clearTimeout(late)
      return code
    },
  }
}
