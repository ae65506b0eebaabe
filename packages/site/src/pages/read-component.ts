import { decodeText } from '@corrigenda/git/workspace'
import { buildUnread, EMPTY_CONTENT, type PageContent } from './page-content.ts'

const MAX_BYTES = 262_144
/** Matches code that may render ids, or content of which this cannot be excluded. */
const IDS =
  /\bid\b|Id\b|<h[1-6]\b|\bh[1-6]\b|[Hh]ead(?:ing|line|er)|[Aa]nchor|[Ss]lug|\bhash\b|html|HTML|\bname=|createElement|\bh\(|[Mm]arkdown|\bmdx?\b|<component\b|import\.meta\.glob|<Content\b/
const IMPORT = /\b(?:from|import)\s*\(?\s*["']([^"'\n]{1,500})["']/g

/**
 * Reads a component that pages import: whether it may render ids, and the files that it imports.
 * Synchronous CPU work, a few milliseconds. Never throws.
 */
export function readComponent(bytes: Uint8Array): PageContent {
  const file = bytes.length > MAX_BYTES ? 'large' : decodeText(bytes)
  if (typeof file === 'string') return buildUnread('it is too large')
  const { text } = file
  const links = [...text.matchAll(IMPORT)].map(([, href = '']) => ({ kind: 'import' as const, href, line: 0 }))
  return { ...EMPTY_CONTENT, links, moreAnchors: IDS.test(text.replace(IMPORT, '')) }
}
