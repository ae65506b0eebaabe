import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

interface Rendered {
  readonly html: string
  /** Sorted tags in the output, except tags that only structure or format text. */
  readonly active: readonly string[]
  readonly links: readonly string[]
  /**
   * The text that a host searches for mentions and references. Excludes code, links and tags, and
   * has its entities decoded.
   */
  readonly text: string
}

const STRUCTURE = new Set('p br hr h2 ul ol li blockquote code em strong del table thead tbody tr th td'.split(' '))
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/**
 * Renders GitHub Flavored Markdown with raw HTML enabled, so that unescaped content is detected.
 */
export function renderGitHub(markdown: string): Rendered {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
  })
  const tags = [...html.matchAll(/<\/?([a-zA-Z!?][^\s/>]*)/g)].map(([, tag = '']) => tag.toLowerCase())
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href)
  const text = html
    .replace(/<code>[\s\S]*?<\/code>/g, '\u0001')
    .replace(/<a href[\s\S]*?<\/a>/g, '\u0001')
    .replace(/<[^>]*>/g, '\u0001')
    .replace(/&(lt|gt|amp|quot);/g, (_, name: string) => ENTITIES[name] ?? '')
  return { html, active: [...new Set(tags.filter((tag) => !STRUCTURE.has(tag)))].sort(), links, text }
}

/**
 * Returns the parts of the rendered text that GitHub would turn into links or notifications. Empty
 * if the text is inert.
 */
export function findLive(text: string): string[] {
  const live =
    /(?<![\p{L}\p{N}_])@[\p{L}\p{N}]|#\d|\bGH-\d|\b[a-z][a-z0-9+.-]*:\/\/|www\.|[\w.+-]+@[\w-]+\.\w|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/giu
  return [...text.matchAll(live)].map(([match]) => match)
}
