import { crc32 } from 'node:zlib'

/**
 * Encodes one AWS event stream message, which consists of lengths, headers and a payload. The
 * prelude and the message each have a checksum.
 */
export function toEventFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => toHeader(name, value)))
  const data = Buffer.from(payload)
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + head.length + data.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  const whole = Buffer.concat([prelude, toChecksum(prelude), head, data])
  return Buffer.concat([whole, toChecksum(whole)])
}

/** Returns a header with a string value (type 7). */
function toHeader(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)]
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([7]), length, text])
}

function toChecksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}
