import type { HeadingIds } from '../heading-ids.ts'

export const mkdocsIds: HeadingIds = {
  // The rules of `slugify` in Python-Markdown's `toc` extension.
  toSlug: (text) =>
    text
      .normalize('NFKD')
      .replace(/[^\w\s-]/g, '')
      .trim()
      .toLowerCase()
      .replace(/[-\s]+/g, '-'),
  separator: '_',
  firstNumber: 1,
  explicit: { toMark: (id) => `{ #${id} }`, setting: 'attr_list' },
}
