interface Range {
  readonly type: string
  readonly quality: number
  readonly rank: number
}

/**
 * Returns true if an Accept header (RFC 9110, 12.5.1) names this media type and prefers it to JSON.
 * If the weights are equal, the first type wins. Wildcards never select the type, because JSON is
 * the default.
 */
export function prefersType(accept: string | undefined, type: string): boolean {
  const ranges = (accept ?? '').split(',').map(toRange)
  const find = (mediaType: string) => ranges.find((range) => range.type === mediaType)
  const [target, json] = [find(type), find('application/json')]
  if (!target || target.quality === 0) return false
  if (!json || target.quality !== json.quality) return target.quality > (json?.quality ?? 0)
  return target.rank < json.rank
}

function toRange(text: string, rank: number): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0, rank }
}
