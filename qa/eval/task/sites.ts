import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSampleDocs, readTree } from '@corrigenda/demo'
import { z } from 'zod'
import { QA_FOLDER, readYaml } from '../../read-yaml.ts'
import type { Tree } from './steps.ts'

export const EVAL_FOLDER = path.join(QA_FOLDER, 'eval')

export const SPLITS = ['train', 'held-out'] as const

/** Documentation sites written for this project, by name. */
export const SITES = readYaml(
  path.join(EVAL_FOLDER, 'sites.yaml'),
  z.record(z.string(), z.strictObject({ split: z.enum(SPLITS), about: z.string() })),
)

const trees = new Map<string, Tree>()

/** @throws if the site does not exist */
export function readSite(name: string): Tree {
  const known = trees.get(name)
  if (known !== undefined) return known
  const folder = pathToFileURL(`${path.join(EVAL_FOLDER, 'sites', name)}/`)
  // The sample repository of the quickstart is a site, too.
  const tree: Tree =
    name === 'tidewater'
      ? new Map([...readSampleDocs()].map(([file, { data }]) => [file, data]))
      : new Map(Object.entries(readTree(folder)))
  trees.set(name, tree)
  return tree
}
