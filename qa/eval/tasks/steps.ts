import type { SiteName } from '../sites/all-sites.ts'
import type { Ending, Step } from '../task/task.ts'
import { getText, getTree } from './build-task.ts'

export const edit = (path: string, old: string, text: string, times?: number): Step => ({
  do: 'edit',
  path,
  old,
  new: text,
  ...(times === undefined ? {} : { times }),
})
export const write = (path: string, text: string): Step => ({ do: 'write', path, text })
export const move = (path: string, to: string): Step => ({ do: 'move', path, to })
export const remove = (path: string): Step => ({ do: 'delete', path })

export const noChange = (reason: string): Ending => ({ outcome: 'no_change', reason })
export const impossible = (reason: string): Ending => ({ outcome: 'impossible', reason })
export const needsInput = (reason: string): Ending => ({ outcome: 'needs_input', reason })

/** Replaces every occurrence of a string in these files, by default in all files. */
export function replaceAll(site: SiteName, from: string, to: string, paths?: readonly string[]): Step[] {
  const all = paths ?? [...getTree(site)].filter(([, text]) => text.includes(from)).map(([path]) => path)
  return all.map((path) =>
    write(
      path,
      getText(site, path).replaceAll(from, () => to),
    ),
  )
}

/** Replaces every occurrence of a string in these files, except in code. */
export function replaceInProse(site: SiteName, from: string, to: string, paths: readonly string[]): Step[] {
  return paths.map((path) => {
    const parts = getText(site, path).split(/(^[ \t]*```[\s\S]*?^[ \t]*```|`[^`\n]*`)/m)
    return write(path, parts.map((part, index) => (index % 2 === 0 ? part.replaceAll(from, () => to) : part)).join(''))
  })
}

/** Returns the steps without the last replacement in the last file. */
export function missOne(steps: readonly Step[], from: string, to: string): Step[] {
  const last = steps.at(-1)
  if (last?.do !== 'write') throw new Error('The last step must write a file.')
  const at = last.text.lastIndexOf(to)
  return [...steps.slice(0, -1), write(last.path, `${last.text.slice(0, at)}${from}${last.text.slice(at + to.length)}`)]
}

/**
 * Returns the steps with an unrequested reflow, which breaks the first long line of prose in one
 * file.
 */
export function reflow(site: SiteName, steps: readonly Step[], path: string): Step[] {
  const written = steps.findLast((step) => step.do === 'write' && step.path === path)
  const text = written?.do === 'write' ? written.text : getText(site, path)
  const line = findProse(getText(site, path)).find((one) => text.includes(one))
  if (line === undefined) throw new Error(`${path} has no prose that the steps leave unchanged.`)
  const middle = line.indexOf(' ', Math.floor(line.length / 2))
  const broken = `${line.slice(0, middle)}\n${line.slice(middle + 1)}`
  return [...steps, { do: 'edit', path, old: line, new: broken }]
}

function findProse(text: string): string[] {
  const plain = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^[ \t]*```[\s\S]*?^[ \t]*```/gm, '')
  return plain
    .split(/\r?\n/)
    .filter((line) => line.length > 45 && /^[A-Z][^|<]*$/.test(line) && line.lastIndexOf(' ') > line.length / 2)
}
