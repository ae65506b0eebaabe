import { access, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Mutant } from './mutant.ts'

/** What is wrong with a mutant in this tree, as a sentence; null when it fits. */
export async function findMisfit(root: string, mutant: Mutant): Promise<string | null> {
  for (const file of [mutant.file, ...mutant.tests]) {
    const isThere = await access(path.join(root, file)).then(
      () => true,
      () => false,
    )
    if (!isThere) return `${file} does not exist`
  }
  if (mutant.tests.length === 0) return 'no tests are named'
  if (mutant.find === mutant.replace) return 'it changes nothing'
  const count = countText(await readFile(path.join(root, mutant.file), 'utf8'), mutant.find)
  return count === 1 ? null : `its text occurs ${count} times in ${mutant.file}, not once`
}

/**
 * Edits the tree so that the guard is off, for as long as the work lasts.
 * @throws Error when the mutant does not fit
 */
export async function withMutant<T>(root: string, mutant: Mutant, work: () => Promise<T>): Promise<T> {
  const misfit = await findMisfit(root, mutant)
  if (misfit !== null) throw new Error(`${mutant.name}: ${misfit}`)
  const file = path.join(root, mutant.file)
  const original = await readFile(file, 'utf8')
  // A function, since a text would have its dollar signs read as references.
  await writeFile(
    file,
    original.replace(mutant.find, () => mutant.replace),
  )
  try {
    return await work()
  } finally {
    await writeFile(file, original)
  }
}

const countText = (text: string, part: string): number => text.split(part).length - 1
