import { ToolError } from './tool.ts'

const MAX_TITLE = 200
const MAX_BODY = 20_000
const MAX_PASSES = 20
/** An image without an end lasts until the end of the text, so that it is read only once. */
const IMAGE = /!\[([^\]]*)(\](?:\([^)]{0,500}\)|\[[^\]]{0,500}\])?)?/g

/** Checks a pull request title. Throws ToolError if it has several lines or is too long. */
export function requireOneLine(title: string): void {
  if (/[\r\n]/.test(title.trim())) throw new ToolError('The title must be one line. Put the rest in body.')
  if (title.length > MAX_TITLE) {
    throw new ToolError(
      `The title has ${title.length} characters; at most ${MAX_TITLE} are allowed, and 72 are recommended.`,
    )
  }
}

/**
 * Removes images, HTML and comments from a description. An image URL can leak data, and a comment
 * can hide text. Code keeps its angle brackets.
 */
export function cleanBody(body: string): string {
  const parts = body.slice(0, MAX_BODY).split(/(```[\s\S]*?(?:```|$)|`[^`\n]+`)/)
  return parts
    .map((part, index) => (index % 2 === 1 ? part : cleanText(part)))
    .join('')
    .trim()
}

function cleanText(text: string): string {
  let out = text
  // Repeats, because removing a tag may join the halves of another tag. Nesting deeper than the
  // maximum number of passes is treated as deliberate.
  for (let pass = 0, previous = ''; previous !== out; pass += 1) {
    previous = out
    if (pass === MAX_PASSES) return out.replace(/[<!]/g, '')
    out = out
      .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
      .replace(IMAGE, (all, alt, end) => (end === undefined ? all : alt))
      .replace(/<\/?[A-Za-z][\w.-]*(?:[\s/][^>]*)?(?:>|$)/g, '')
  }
  return out
}
