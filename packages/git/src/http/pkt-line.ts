import { GitHttpError } from './git-http-error.ts'

interface Pkt {
  readonly kind: 'data' | 'flush' | 'delim' | 'end'
  /** Payload. Empty unless `kind` is `data`. */
  readonly data: Buffer
  /** Offset of the first byte after this packet. */
  readonly end: number
}

export const FLUSH_PKT = Buffer.from('0000')
export const DELIM_PKT = Buffer.from('0001')
const NOTHING = Buffer.alloc(0)
/**
 * Number of packets accepted regardless of size. Above this number, packets must average at least
 * `MIN_PKT_BYTES` bytes.
 */
const FREE_PKTS = 4_096
const MIN_PKT_BYTES = 24

export function encodePkt(payload: string | Uint8Array): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

/**
 * Yields the packets in a complete response (gitprotocol-common(5)).
 * @throws {GitHttpError} `network` if the last packet is incomplete, `protocol` if the response is
 *   not in pkt-line format or has so many small packets that reading it would take too long
 */
export function* readPkts(bytes: Buffer, start = 0): Generator<Pkt> {
  let offset = start
  let left = FREE_PKTS + bytes.length / MIN_PKT_BYTES
  while (offset < bytes.length) {
    if (left-- < 0) throw new GitHttpError('protocol', 'The Git host sent too many small packets.')
    const header = bytes.toString('latin1', offset, offset + 4)
    if (header.length < 4) throw cutShort()
    if (!/^[0-9a-f]{4}$/i.test(header))
      throw new GitHttpError('protocol', 'The host did not respond like a Git server.')
    const length = Number.parseInt(header, 16)
    if (length < 4) {
      if (length === 3) throw new GitHttpError('protocol', 'The Git host sent a packet with an invalid length.')
      offset += 4
      yield { kind: length === 0 ? 'flush' : length === 1 ? 'delim' : 'end', data: NOTHING, end: offset }
      continue
    }
    if (offset + length > bytes.length) throw cutShort()
    const data = bytes.subarray(offset + 4, offset + length)
    offset += length
    yield { kind: 'data', data, end: offset }
  }
}

/** Returns a packet's payload as text, without the final line feed. */
export function toLine(pkt: Pkt): string {
  return pkt.data.toString('utf8').replace(/\n$/, '')
}

export function cutShort(): GitHttpError {
  return new GitHttpError('network', "The Git host's response ended too early.")
}
