import {
  ElementTypes,
  type ExpressionNode,
  NodeTypes,
  parse,
  type RootNode,
  type TemplateChildNode,
} from '@vue/compiler-dom'
import { hasLongTag } from '../vue/has-long-tag.ts'
import { isTooIntricate } from '../vue/is-too-intricate.ts'
import { renderTemplate } from '../vue/render-template.ts'
import { isData } from './is-data.ts'
import { type PageCode, resolvePaths } from './page-code.ts'

/** Matches the lines that can contain code if a page cannot be parsed. */
const SUSPECT = /\{\{|\}\}|<\/?\s*script\b|\s(?:v-|[:@#])[\w.[\]-]+\s*=|\bv-html\b/i

/** Styles that are compiled by other tools, include files, or contain expressions. */
const ACTIVE_STYLE =
  /^\s*<style[^>]*\b(?:lang|src)\b|\bv-bind\s*\(|@(?:import|plugin|use|forward|require)\b|url\([^)]{0,200}(?:\.\.|[\s"'/(]\.\w)/i
/** Titles of code blocks are inserted without escaping. */
const TITLE_CODE = /\{\{|<[a-z]/i
const ATTRIBUTE_CODE = /[{\s](?:v-[\w-]+|[:@][\w.:[\]-]+)\s*=/

/**
 * Lists the scripts, expressions and directives of a page that becomes a Vue template, except
 * literals. For a page that cannot be parsed, lists every line that may contain one. Synchronous
 * CPU work, about 1 s per MB.
 * @param text without front matter, with LF line endings
 * @param folder the page's folder, which relative paths refer to
 */
export function listVueCode(text: string, hasMath: boolean, folder: string): PageCode[] {
  const found: PageCode[] = []
  const add = (code: string, line: number) => found.push({ kind: 'vue-code', line, source: resolvePaths(code, folder) })
  const open: (RootNode | TemplateChildNode)[] = []
  const { template, blocks, marks, toLine } = renderTemplate(text, hasMath)
  for (const { content, line } of blocks)
    if (!/^\s*<style/.test(content) || ACTIVE_STYLE.test(content)) add(content, line)
  for (const { content, line } of marks) {
    const isCode = content.startsWith('[') ? TITLE_CODE.test(content) : ATTRIBUTE_CODE.test(content)
    if (isCode) add(content, line)
  }
  try {
    if (hasLongTag(template)) throw new RangeError('a tag is too long')
    const root = parse(template, { onError: () => undefined })
    if (isTooIntricate(root)) throw new RangeError('an expression is too long')
    open.push(root)
  } catch {
    for (const [at, row] of text.split('\n').entries()) if (SUSPECT.test(row)) add(row, at + 1)
    return found
  }
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === NodeTypes.INTERPOLATION) {
      if (!isData(toText(node.content))) add(node.loc.source, toLine(node.loc.start.offset))
    }
    if (node.type === NodeTypes.ROOT || node.type === NodeTypes.ELEMENT) open.push(...node.children)
    if (node.type !== NodeTypes.ELEMENT) continue
    if (node.tag.toLowerCase() === 'script') add(node.loc.source, toLine(node.loc.start.offset))
    // The name of the component itself can be an expression.
    const isDynamic = node.tagType === ElementTypes.COMPONENT && node.tag === 'component'
    for (const prop of node.props) {
      const line = toLine(prop.loc.start.offset)
      if (prop.type === NodeTypes.DIRECTIVE) {
        const hasDynamicName = prop.arg?.type === NodeTypes.SIMPLE_EXPRESSION && !prop.arg.isStatic
        if (hasDynamicName || (prop.exp != null && !isData(toText(prop.exp)))) add(prop.loc.source, line)
      } else if (isDynamic && prop.name === 'is' && prop.value?.content === 'script') add(prop.loc.source, line)
    }
  }
  return found
}

/** Returns an expression with its character references resolved. */
function toText(node: ExpressionNode): string {
  return node.type === NodeTypes.SIMPLE_EXPRESSION ? node.content : node.loc.source
}
