import { ToolError } from './tool.ts'

const MAX_TITLE = 200
const MAX_BODY = 20_000
const MAX_PASSES = 20

/** Throws ToolError for a title that cannot head a pull request. */
export function requireOneLine(title: string): void {
  if (/[\r\n]/.test(title.trim())) throw new ToolError('The title must be one line. Put the rest into body.')
  if (title.length > MAX_TITLE) {
    throw new ToolError(`The title has ${title.length} characters; at most ${MAX_TITLE} are allowed, 72 read well.`)
  }
}

/**
 * A description without images, HTML and comments: an image address can carry text out, and a comment can hide it. Code keeps its
 * angle brackets.
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
  // Repeated because removing one tag may join the halves of another; what is nested deeper than that was made to be.
  for (let pass = 0, previous = ''; previous !== out; pass += 1) {
    previous = out
    if (pass === MAX_PASSES) return out.replace(/[<!]/g, '')
    out = out
      .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
      .replace(/!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, '$1')
      .replace(/<\/?[A-Za-z][\w.-]*(?:[\s/][^>]*)?(?:>|$)/g, '')
  }
  return out
}
