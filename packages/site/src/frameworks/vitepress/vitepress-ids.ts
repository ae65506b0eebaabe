import type { HeadingIds } from '../heading-ids.ts'

export const vitepressIds: HeadingIds = {
  // The rules of `slugify` in `@mdit-vue/shared`.
  toSlug: (text) =>
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036F]/g, '')
      .replace(/\p{Cc}/gu, (char) => (char.charCodeAt(0) < 0x20 ? '' : char))
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/^-|-$/g, '')
      .replace(/^\d/, '_$&')
      .toLowerCase(),
  separator: '-',
  firstNumber: 1,
  explicit: { toMark: (id) => `{#${id}}` },
}
