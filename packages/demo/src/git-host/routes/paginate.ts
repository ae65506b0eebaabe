import type { Reply } from './rest-route.ts'

const DEFAULT_PAGE = 30
const MAX_PAGE = 100

/**
 * Returns one page of a list with GitHub's Link header (RFC 8288). `first` and `prev` are present
 * if a previous page exists, and `next` and `last` if a next page exists. `per_page` defaults to 30
 * and is limited to 100.
 */
export async function paginate<T>(
  url: URL,
  query: Readonly<Record<string, unknown>>,
  items: readonly T[],
  represent: (item: T) => Promise<unknown> | unknown,
): Promise<Reply> {
  const size = Math.min(MAX_PAGE, Math.max(1, toInteger(query.per_page, DEFAULT_PAGE)))
  const page = Math.max(1, toInteger(query.page, 1))
  const last = Math.max(1, Math.ceil(items.length / size))
  const body = await Promise.all(items.slice((page - 1) * size, page * size).map(represent))
  const links = [
    ...(page > 1 ? [toLink(url, 1, 'first'), toLink(url, Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [toLink(url, page + 1, 'next'), toLink(url, last, 'last')] : []),
  ]
  return { status: 200, body, headers: links.length > 0 ? { link: links.join(', ') } : {} }
}

function toInteger(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : otherwise
}

function toLink(url: URL, page: number, relation: string): string {
  const target = new URL(url)
  target.searchParams.set('page', String(page))
  return `<${target.href}>; rel="${relation}"`
}
