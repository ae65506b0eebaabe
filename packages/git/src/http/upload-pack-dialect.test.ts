import { expect, it } from 'vitest'
import { encodePkt, FLUSH_PKT } from './pkt-line.ts'
import { toUploadPackAnswer } from './upload-pack-dialect.ts'

it("reports the host's whole message if it is split over packets, also within a character", () => {
  const message = Buffer.from('Kein Platz für Größe\n')
  for (let at = 1; at < message.length; at += 1) {
    const parts = [message.subarray(0, at), message.subarray(at)]
    const pkts = parts.map((part) => encodePkt(Buffer.concat([Buffer.from([3]), part])))
    const body = Buffer.concat([encodePkt('packfile\n'), ...pkts, FLUSH_PKT])
    expect(() => toUploadPackAnswer(body, 2)).toThrow('aborted the response: Kein Platz für Größe')
  }
})
