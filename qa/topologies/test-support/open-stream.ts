import http from 'node:http'
import https from 'node:https'
import { onTestFinished } from 'vitest'

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Certificate of an authority. */
  readonly ca?: string
  /** Address that the connection comes from. */
  readonly localAddress?: string
}

/** Sends a request and returns the response when its headers arrive. The text grows with the stream. */
export function openStream(url: string, { method = 'GET', headers = {}, body, ca, localAddress }: Call = {}) {
  const { request } = url.startsWith('https:') ? https : http
  return new Promise<{ response: http.IncomingMessage; text: () => string; ended: Promise<void> }>(
    (resolve, reject) => {
      const options = { method, headers, agent: false, ...(ca && { ca }), ...(localAddress && { localAddress }) }
      const sent = request(url, options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        const ended = new Promise<void>((end) => response.once('close', end))
        resolve({ response, text: () => text, ended })
      })
      sent.on('error', reject)
      onTestFinished(() => void sent.destroy())
      sent.end(body)
    },
  )
}
