import { NodeTypes, type RootNode, type TemplateChildNode } from '@vue/compiler-dom'

/**
 * Limits of one expression, which the JavaScript parser reads recursively. Expressions in templates
 * are far smaller.
 */
const MAX_BRACKETS = 40
const MAX_OPERATORS = 200
const OPERATOR = /=>|[?!~:+*%&|^<.([-]|\b(?:await|typeof|void|delete|new|yield|function|class)\b/g
/** Total length of all expressions. Some are parsed several times. */
const MAX_CHARS = 200_000

/** Returns true if parsing the expressions of a template may exceed the stack or take long. */
export function isTooIntricate(root: RootNode): boolean {
  let chars = 0
  const isOver = (expression: string) => {
    chars += expression.length
    return chars > MAX_CHARS || isDeep(expression)
  }
  const open: (RootNode | TemplateChildNode)[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === NodeTypes.INTERPOLATION && isOver(node.loc.source)) return true
    if (node.type === NodeTypes.ROOT || node.type === NodeTypes.ELEMENT)
      for (const child of node.children) open.push(child)
    if (node.type !== NodeTypes.ELEMENT) continue
    if (node.props.some((prop) => prop.type === NodeTypes.DIRECTIVE && isOver(prop.loc.source))) return true
  }
  return false
}

function isDeep(expression: string): boolean {
  let [depth, deepest] = [0, 0]
  for (const char of expression) {
    if (/[([{`]/.test(char)) depth += 1
    else if (/[)\]}]/.test(char)) depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest > MAX_BRACKETS || (expression.match(OPERATOR)?.length ?? 0) > MAX_OPERATORS
}
