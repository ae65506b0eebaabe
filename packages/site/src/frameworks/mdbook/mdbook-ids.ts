import type { HeadingIds } from '../heading-ids.ts'

export const mdbookIds: HeadingIds = {
  // The rules of `normalize_id` in mdBook.
  toSlug: (text) =>
    text
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
      .toLowerCase(),
  separator: '-',
  firstNumber: 1,
  explicit: { toMark: (id) => `{#${id}}` },
}
