import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_OUTPUT = 512 * 1024 * 1024

/**
 * Runs git in a folder and returns its output as text.
 * @throws Error if git exits with a nonzero code
 */
export async function runGit(folder: string, args: readonly string[]): Promise<string> {
  return (await run('git', ['-C', folder, ...args], { maxBuffer: MAX_OUTPUT })).stdout
}
