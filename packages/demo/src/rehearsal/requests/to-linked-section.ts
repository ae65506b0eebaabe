import type { Section } from '../plan/collect-sections.ts'

/** Returns a section with a heading of its own. Headings that repeat get the name of their page. */
export function toLinkedSection(section: Section, before: readonly Section[]): string {
  const { page, heading, text } = section
  const own = heading ?? page.title
  const isRepeated = before.some((one) => (one.heading ?? one.page.title) === own)
  return `## ${isRepeated ? `${page.title}: ${own}` : own}\n\n${text}`
}
