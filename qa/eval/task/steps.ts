import { z } from 'zod'

/** A repository's text files by path, with their byte order marks and original line endings. */
export type Tree = ReadonlyMap<string, string>

const path = z.string().min(1).max(500)

/** One change to a tree. Text matches byte for byte. `edit` replaces `times` occurrences (default 1). */
export const Step = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('edit'),
    path,
    old: z.string().min(1),
    new: z.string(),
    times: z.int().min(1).default(1),
  }),
  z.strictObject({ do: z.literal('append'), path, text: z.string() }),
  z.strictObject({ do: z.literal('write'), path, text: z.string() }),
  z.strictObject({ do: z.literal('move'), path, to: path }),
  z.strictObject({ do: z.literal('delete'), path }),
])
export type Step = z.infer<typeof Step>

/** Thrown if a step does not match the tree, which is an error in the task. */
class StepError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StepError'
  }
}

/**
 * Returns the tree after applying the steps.
 * @throws StepError
 */
export function applySteps(base: Tree, steps: readonly Step[]): Tree {
  const tree = new Map(base)
  const get = (path: string): string => {
    const text = tree.get(path)
    if (text === undefined) throw new StepError(`${path} does not exist.`)
    return text
  }
  for (const step of steps) {
    switch (step.do) {
      case 'edit': {
        const text = get(step.path)
        const found = countText(text, step.old)
        if (found !== step.times) {
          const shown = JSON.stringify(step.old.slice(0, 80))
          throw new StepError(`Occurrences of ${shown} in ${step.path}: ${found}, expected ${step.times}.`)
        }
        tree.set(
          step.path,
          text.replaceAll(step.old, () => step.new),
        )
        break
      }
      case 'append':
        tree.set(step.path, get(step.path) + step.text)
        break
      case 'write':
        tree.set(step.path, step.text)
        break
      case 'move':
        if (tree.has(step.to)) throw new StepError(`${step.to} already exists.`)
        tree.set(step.to, get(step.path))
        tree.delete(step.path)
        break
      case 'delete':
        get(step.path)
        tree.delete(step.path)
        break
    }
  }
  return tree
}

/** Replaces invalid UTF-8 with replacement characters. The result is never written back. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const toText = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Converts line endings to LF and removes the byte order mark. */
export const toPlain = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

/** Splits text into lines with their line endings. Joining the lines returns the text. */
export const toRawLines = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

export const countText = (text: string, wanted: string): number => text.split(wanted).length - 1

/** Returns the paths whose presence or content differs between the trees, sorted. */
export function listChanged(before: Tree, after: Tree): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
}
