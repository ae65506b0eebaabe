import { dropEscapes } from './drop-escapes.ts'

/** Matches attributes of any element: `{#id}` and `{: .class #id }`. */
const ATTRIBUTES = /\{:?[^{}#\n`]{0,100}#((?:\\?[\w:.-]){1,200})[^{}\n`]{0,100}\}/g

/** Returns the ids that attribute lists in plain Markdown define. */
export function findAttributeIds(text: string): string[] {
  return Array.from(text.matchAll(ATTRIBUTES), ([, id = '']) => dropEscapes(id))
}
