import { createHmac, type Hmac } from 'node:crypto'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BackupHeader, DAMAGED, HEADER_MARK, NOT_A_BACKUP } from './backup-header.ts'

const NEWLINE = 0x0a

/** A backup whose header has been read. */
export interface OpenedBackup {
  readonly header: BackupHeader
  /** The lines after the header, without line breaks. Node's readline would also split rows. */
  readonly lines: AsyncGenerator<Buffer>
  /** Starts the HMAC of the lines. Must be called before the first line is read. */
  authenticate(key: Buffer): void
  /** Returns the HMAC of all lines before the one that was read last. */
  digest(): Buffer | undefined
}

/** @throws Error if the stream is not a backup that this version can read; errors of the stream */
export async function openBackup(input: Readable): Promise<OpenedBackup> {
  const lines = readLines(input)
  const first = await lines.next()
  const text = first.value?.toString() ?? ''
  const parsed = text.startsWith(HEADER_MARK) ? BackupHeader.safeParse(toJson(text.slice(HEADER_MARK.length))) : null
  if (!parsed?.success) throw new Error(NOT_A_BACKUP)
  let hmac: Hmac | null = null
  const authenticate = (key: Buffer) => {
    hmac = createHmac('sha256', key).update(text).update('\n')
  }
  /** Adds a line only when the next one is read, because the last line contains the HMAC of the others. */
  async function* authenticated() {
    for await (const line of lines) {
      yield line
      hmac?.update(line).update('\n')
    }
  }
  const digest = () => {
    const result = hmac?.digest()
    hmac = null
    return result
  }
  return { header: parsed.data, lines: authenticated(), authenticate, digest }
}

export function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The checksum is verified at the end, so a backup is valid only if all lines have been read. */
async function* readLines(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  input.once('error', (error) => gunzip.destroy(error))
  let parts: Buffer[] = []
  try {
    for await (const chunk of input.pipe(gunzip) as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, end)])
        parts = []
        from = end + 1
      }
      if (from < chunk.length) parts.push(chunk.subarray(from))
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (message === 'incorrect header check') throw new Error(NOT_A_BACKUP)
    throw code?.startsWith('Z_') ? new Error(DAMAGED) : error
  }
}
