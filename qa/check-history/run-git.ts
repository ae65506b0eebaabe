import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_OUTPUT = 512 * 1024 * 1024

/** Run git in a folder; its output as text. @throws when git ends with another code than 0 */
export async function runGit(folder: string, args: readonly string[]): Promise<string> {
  return (await run('git', ['-C', folder, ...args], { maxBuffer: MAX_OUTPUT })).stdout
}
