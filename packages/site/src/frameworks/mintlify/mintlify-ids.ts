import type { HeadingIds } from '../heading-ids.ts'

export const mintlifyIds: HeadingIds = {
  toSlug,
  separator: '-',
  firstNumber: 2,
  explicit: { toMark: (id) => `{#${id}}` },
}

/** The rules of `slugify` and `cleanHeadingId` in `@mintlify/common`. */
function toSlug(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed().toLowerCase().trim().replace(/\s+/g, '-'))
  const slug = encoded.replace(/[^A-Za-z\d%_]+/g, '-').replace(/^-|-$/g, '')
  return decodeURIComponent(slug)
    .replace(/[?,;:!'"()[\]{}]/g, '')
    .replace(
      /\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|[\u200D\uFE0E\uFE0F]/gu,
      '',
    )
}
