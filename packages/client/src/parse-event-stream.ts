export interface ServerEvent {
  readonly id: string | null
  readonly data: string
  /** Milliseconds to wait before connecting again, when the server said so. */
  readonly retryMs: number | null
}

/**
 * Server-Sent Events out of a body, as the HTML standard defines them. An event that the stream breaks off is dropped. Comments are answered as
 * events without data: signs of life.
 * @param silenceMs without a byte for so long, the connection counts as broken
 * @throws TypeError when it breaks
 */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, silenceMs)
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A lone carriage return at the end may be half of a line end.
      const blocks = rest.replace(/\r\n|\r(?!$)/g, '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield parseBlock(block)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseBlock(block: string): ServerEvent {
  let id: string | null = null
  let retryMs: number | null = null
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'id') id = value
    else if (field === 'data') data.push(value)
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
  }
  return { id, data: data.join('\n'), retryMs }
}

/** A peer that is gone without a word leaves a connection that is silent for ever. */
async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('the stream fell silent')), silenceMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
