import readline from 'node:readline'
import { Writable } from 'node:stream'

/** One line of the terminal that is not shown while it is typed; without a terminal the first line of standard input. */
export async function askSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  // Standard output is for the answer of the command.
  if (isTerminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = readline.createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  try {
    const line = await new Promise<string | null>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(null))
    })
    if (line === null || line === '') throw new Error('No password was given.')
    return line
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
