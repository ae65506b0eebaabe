import type { HeadingIds } from '../frameworks/heading-ids.ts'
import type { Heading } from '../pages/find-headings.ts'

/** Returns the id of each heading of a page. Repeated ids are numbered. */
export function toHeadingIds(
  headings: readonly Pick<Heading, 'id' | 'text'>[],
  { toSlug, separator, firstNumber }: HeadingIds,
): string[] {
  const taken = new Set(headings.flatMap(({ id }) => (id === null ? [] : [id])))
  const next = new Map<string, number>()
  return headings.map(({ id, text }) => {
    if (id !== null) return id
    const slug = toSlug(text)
    let found = slug
    let number = next.get(slug) ?? firstNumber
    for (; taken.has(found); number += 1) found = `${slug}${separator}${number}`
    next.set(slug, number)
    taken.add(found)
    return found
  })
}
