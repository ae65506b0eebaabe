import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BackupHeader, HEADER_MARK } from './backup-header.ts'

const NEWLINE = 0x0a

/** A backup whose header has been read. */
export interface OpenedBackup {
  readonly header: BackupHeader
  /** The lines after the header, without line breaks. Node's readline would also split rows. */
  readonly lines: AsyncGenerator<Buffer>
}

/** @throws Error if the stream is not a backup that this version can read */
export async function openBackup(input: Readable): Promise<OpenedBackup> {
  const lines = readLines(input)
  const first = await lines.next().catch(() => null)
  const text = first?.value?.toString() ?? ''
  const parsed = text.startsWith(HEADER_MARK) ? BackupHeader.safeParse(toJson(text.slice(HEADER_MARK.length))) : null
  if (!parsed?.success) throw new Error('The file is not a backup that "corrigenda backup" of this version wrote.')
  return { header: parsed.data, lines }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function* readLines(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  input.once('error', (error) => gunzip.destroy(error))
  let parts: Buffer[] = []
  for await (const chunk of input.pipe(gunzip) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      from = end + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  }
}
