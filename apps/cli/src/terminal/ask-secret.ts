import readline from 'node:readline'
import { type Readable, Writable } from 'node:stream'

interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stderr: Writable
}

/**
 * Reads one line from the terminal without echo, or the first line of standard input if it is not a
 * terminal.
 * @param input.noun what is entered, such as `password`
 * @throws Error if the line is empty
 */
export async function askSecret(
  terminal: Terminal,
  { question, noun }: { readonly question: string; readonly noun: string },
): Promise<string> {
  const { stdin, stderr } = terminal
  const isTerminal = stdin.isTTY === true
  // Standard output is reserved for the command's result.
  if (isTerminal) stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = readline.createInterface({ input: stdin, output: silent, terminal: isTerminal })
  try {
    const line = await new Promise<string | null>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(null))
    })
    if (line === null || line === '') throw new Error(`No ${noun} was entered.`)
    return line
  } finally {
    lines.close()
    if (isTerminal) stderr.write('\n')
  }
}
