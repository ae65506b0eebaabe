import type { Dialect } from '../pages/dialect.ts'
import { findHeadings } from '../pages/find-headings.ts'
import { findLinkSpans } from '../pages/find-link-spans.ts'
import { MoveError } from './move-error.ts'

/** A heading's new text as written, and as shown. */
interface HeadingText {
  readonly written: string
  readonly text: string
}

const MAX_CHARS = 300

/**
 * Checks that a text is the text of exactly one heading. Removes `#` marks at its start.
 * @throws MoveError if it is not
 */
export function requireHeadingText(input: string, dialect: Dialect): HeadingText {
  const written = input.trim().replace(/^#{1,6}[ \t]+/, '')
  const page = `# ${written}\n`
  const found = /[\p{Cc}]/u.test(written) || written.length > MAX_CHARS ? null : findHeadings(page, dialect)
  const [heading, second] = found?.headings ?? []
  const isWhole = heading?.start === 2 && heading.end === page.length - 1
  if (heading === undefined || second !== undefined || !isWhole || heading.isComputed || heading.text === '') {
    throw new MoveError(
      'Nothing was changed: the new heading must be one line of at most 300 characters, without an expression or an id.',
    )
  }
  if (findLinkSpans(page, dialect)?.length !== 0)
    throw new MoveError('Nothing was changed: the new heading must not contain a link or an image.')
  return { written, text: heading.text }
}
