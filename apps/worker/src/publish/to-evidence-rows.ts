import { type Evidence, type RunSource, toPermalink } from '@corrigenda/contracts'
import { escapeInline, shorten, toCode } from '@corrigenda/git/text'

/**
 * Lists the evidence of a change as each source's `cite` mode allows: as permalinks, as file names,
 * or not at all.
 */
export function toEvidenceRows(
  evidence: readonly Evidence[],
  sources: readonly RunSource[],
  clean: (text: string) => string,
): string[] {
  return evidence.flatMap((entry) => {
    const source = sources.find(({ name }) => name === entry.source)
    if (source === undefined || source.cite === 'none') return []
    const { page, path, fromLine, toLine, note } = entry
    const lines = fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`
    const place = toCode(shorten(clean(`${source.name}: ${path}:${lines}`), 300))
    const shown = source.cite === 'links' ? `[${place}](${toAddress(source, entry)})` : place
    const words = escapeInline(shorten(clean(note), 300))
    return [`- ${toCode(shorten(clean(page), 300))}: ${shown}${words === '' ? '' : ` ${words}`}`]
  })
}

/** `encodeURIComponent` keeps characters that end a link in Markdown. */
function toAddress({ repository, commit }: RunSource, entry: Evidence): string {
  return toPermalink({ repository, commit, ...entry }).replace(
    /[!'()*[\]]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
