import type { ConfigFile } from '../../config/config-files.ts'
import { findProperty, type Literal, toProperties } from '../../config/literal.ts'
import { addToList } from '../../edit/add-to-redirects.ts'
import { insertElement } from '../../edit/edit-list.ts'
import { findLine } from '../../edit/locate.ts'
import type { Splice } from '../../workspace/text-file.ts'
import type { RedirectNames } from '../framework.ts'

/** Returns `redirects` from `docs.json`, or the whole content of a file referenced by `$ref`. */
export function findMintlifyRedirects({ literal }: ConfigFile): Literal | null {
  return literal?.kind === 'array' ? literal : findProperty(literal, 'redirects')
}

export function addMintlifyRedirect(file: ConfigFile, names: RedirectNames): Splice[] | null {
  const { literal, text } = file
  const list = findMintlifyRedirects(file)
  if (list !== null) return addToList(file, list, names, ['source', 'destination'])
  if (literal?.kind !== 'object' || literal.properties.length === 0) return null
  const unit = toIndentUnit(text, literal)
  const source = `"source": ${JSON.stringify(names.source)}`
  const destination = `"destination": ${JSON.stringify(names.destination)}`
  const value =
    unit === null
      ? `[{ ${source}, ${destination} }]`
      : `[\n${unit}{\n${unit}${unit}${source},\n${unit}${unit}${destination}\n${unit}}\n]`
  return insertElement(text, literal, literal.properties.length - 1, `"redirects": ${value}`)
}

/**
 * Returns one level of indentation, taken from the first property, or null if everything is on one
 * line.
 */
function toIndentUnit(text: string, literal: Literal): string | null {
  const first = toProperties(literal)[0]
  if (first === undefined) return null
  const { start } = findLine(text, first.keyStart)
  const head = text.slice(start, first.keyStart)
  return start > literal.start && head.trim() === '' && head !== '' ? head : null
}
