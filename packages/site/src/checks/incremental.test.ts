import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { readSiteFixtures } from '@corrigenda/testkit'
import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../reading/result.ts'
import { buildRandom, type Random, SEED } from '../test-support/build-random.ts'
import { buildChecker } from './build-checker.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 1)
/** Problems of the change, which a check of the resulting files alone cannot find. */
const OF_CHANGE = new Set(['redirect_missing', 'frontmatter_lost'])
/** New problems with links and entries that only the base commit shows to have worked. */
const WORKED = /"(?:link_broken|image_missing|anchor_missing|navigation_missing_page)"/

const decoder = new TextDecoder()
const encode = (text: string) => new TextEncoder().encode(text)

/** Returns the findings of a check of all pages, sorted. */
function listFindings(results: readonly CheckResult[]): string[] {
  return results
    .flatMap(({ name, findings }) =>
      findings.flatMap(({ file, code, line, message }) =>
        OF_CHANGE.has(code ?? '') ? [] : [JSON.stringify([name, file, code, line, message])],
      ),
    )
    .sort()
}

/** Returns the new findings, sorted. */
function listIntroduced(results: readonly CheckResult[]): string[] {
  return results
    .flatMap(({ name, introduced, findings }) =>
      findings
        .slice(0, introduced)
        .map(({ file, code, line, message }) => JSON.stringify([name, file, code, line, message])),
    )
    .sort()
}

async function toFiles(workspace: MemoryWorkspace): Promise<Files> {
  const entries = await workspace.list()
  const read = async (path: string) => [path, decoder.decode(await workspace.read(path))] as const
  return Object.fromEntries(await Promise.all(entries.map(({ path }) => read(path))))
}

/** Makes one random change: text, links, headings, front matter, or files. */
async function change(workspace: MemoryWorkspace, random: Random): Promise<void> {
  const paths = (await workspace.list()).map(({ path }) => path)
  const pages = paths.filter((path) => /\.mdx?$/.test(path))
  const [path, other] = [random.pick(random.below(5) === 0 ? paths : pages), random.pick(pages)]
  const text = decoder.decode(await workspace.read(path))
  const edit = (next: string) => workspace.write(path, encode(next))
  const stem = `${other.replace(/\.mdx?$/, '')}`
  switch (random.below(10)) {
    case 0:
      return await edit(`${text}\n[new](/${stem}#a) ![i](./gone.png) [x](${other.split('/').at(-1)})\n`)
    case 1:
      return await edit(text.replace(/^(#+ )(.*)$/m, '$1Renamed $2'))
    case 2:
      return await edit(text.replace(/^## .*$/gm, '## Same'))
    case 3:
      return await edit(text.replace(/^title:.*$/m, 'title: Other\nslug: /other\nhidden: true'))
    case 4:
      return await edit(text.replaceAll(/\]\([^)]*\)/g, '](/nowhere)'))
    case 5:
      return await workspace.remove(path)
    case 6:
      return await workspace.move(path, path.replace(/([^/]+)$/, `moved${random.below(1e6)}-$1`))
    case 7:
      return await workspace.write(path.replace(/[^/]+$/, `added${random.below(1e6)}.md`), encode(text))
    case 8: {
      // Fixes a link of an earlier change.
      const name = random.pick(['gone.png', 'nowhere.md', 'nowhere.mdx'])
      return await workspace.write(path.replace(/[^/]+$/, name), encode(''))
    }
    default:
      return await edit(
        text
          .split('\n')
          .toSpliced(random.below(text.split('\n').length), 1)
          .join('\n'),
      )
  }
}

describe('a check after random changes', () => {
  it.each(Object.entries(readSiteFixtures()))(
    `%s: agrees with a check of the resulting files (SEED=${SEED})`,
    async (_, files) => {
      const random = buildRandom(SEED)
      const checker = buildChecker()
      for (let round = 0; round < ROUNDS; round += 1) {
        const start = buildMemoryWorkspace(files)
        for (let step = 0; step < 4; step += 1) await change(start, random)
        const workspace = buildMemoryWorkspace(await toFiles(start))
        for (let step = 0; step < 2; step += 1) {
          await change(workspace, random)
          const changed = await checker.checkDocs({ workspace, scope: 'changed' })
          const all = await checker.checkDocs({ workspace, scope: 'all' })
          expect(listIntroduced(changed)).toEqual(listIntroduced(all))
          const fresh = buildMemoryWorkspace(await toFiles(workspace))
          const alone = listFindings(await checker.checkDocs({ workspace: fresh, scope: 'all' }))
          const found = listFindings(all)
          expect(alone.filter((finding) => !found.includes(finding))).toEqual([])
          const lost = listIntroduced(all).filter((finding) => WORKED.test(finding))
          expect(found.filter((finding) => !alone.includes(finding) && !lost.includes(finding))).toEqual([])
        }
      }
    },
  )
})
