import { expect, it } from 'vitest'
import { buildSource } from '../test-support/build-source.ts'
import { describeSources } from './describe-sources.ts'

it('lists the newest 50 commits, and states how many it leaves out', async () => {
  const commits = Array.from({ length: 80 }, (_, n) => ({
    id: `${n}`.padStart(40, 'c'),
    subject: `Change ${n}`,
    pullRequest: null,
  }))
  const describeRange = async (count: number) => {
    const range = { commits: commits.slice(0, count), totalCommits: count }
    return await describeSources([buildSource({ files: {}, before: {}, listsChanges: true, range })])
  }
  const text = await describeRange(80)
  expect(text).toContain('The newest 50 are listed, newest first, and 30 older commits are left out:\n')
  expect(text?.match(/ Change \d+$/gm)).toEqual(Array.from({ length: 50 }, (_, n) => ` Change ${n}`))
  expect(await describeRange(51)).toContain('and 1 older commit is left out:\n')
  expect(await describeRange(50)).toContain('api: 50 commits since bbbbbbbbbbbb, newest first:\n')
})
