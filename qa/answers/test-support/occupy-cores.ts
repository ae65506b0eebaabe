import { spawn } from 'node:child_process'
import os from 'node:os'
import { onTestFinished } from 'vitest'

/** Ends by itself if the test process is killed. */
const BUSY = 'const end = Date.now() + 120_000; while (Date.now() < end && process.ppid > 1);'

/** Starts two busy processes per core, which end with the test. */
export function occupyCores(): void {
  for (let n = 0; n < os.availableParallelism() * 2; n += 1) {
    const child = spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
  }
}
