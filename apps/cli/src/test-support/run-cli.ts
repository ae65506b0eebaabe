import { Readable, Writable } from 'node:stream'
import { runCommandLine } from '../run-command-line.ts'

export interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/**
 * Runs a command in this process, with the given working directory and only the given environment
 * variables. To run services, use `startProcess`.
 * @param input standard input
 */
export async function runCli(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<CommandResult> {
  const [stdout, stderr] = [openCollector(), openCollector()]
  const code = await runCommandLine(args, {
    env,
    cwd,
    stdin: Readable.from(input === '' ? [] : [input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  })
  return { code, out: stdout.text(), err: stderr.text() }
}

function openCollector() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}
