import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../checks/build-checker.ts'
import { buildInlineRunner } from '../thread/build-inline-runner.ts'
import type { CheckRunner, CheckTask } from '../thread/task.ts'
import { applyMove } from './apply-move.ts'
import { planMove } from './plan-move.ts'

const files = {
  'docs.json': '{"navigation":{"pages":["a","b","c"]}}',
  'a.mdx': '# A\n\n[b](/b)\n',
  'b.mdx': '# B\n\n[c](./c)\n',
  'c.mdx': '# C\n',
}

/** Returns a runner and the kinds of the tasks that it ran, with the first line of each page. */
function buildRecorder(): { runner: CheckRunner; take(): string[] } {
  const inner = buildInlineRunner()
  const tasks: string[] = []
  return {
    runner: {
      run: <T extends CheckTask>(task: T, lane: object) => {
        tasks.push(`${task.kind} ${Buffer.from(task.bytes).toString().split('\n', 1)[0]}`)
        return inner.run(task, lane)
      },
    },
    take: () => tasks.splice(0).sort(),
  }
}

it('a move parses the linking pages in the runner, and the check after it parses no page again', async () => {
  const recorder = buildRecorder()
  const { checkDocs, pages } = buildChecker({ runner: recorder.runner })
  const workspace = buildMemoryWorkspace(files)
  const moves = new Map([['b.mdx', 'd/b.mdx']])
  const plan = () => planMove(workspace, moves, () => null, pages)
  await plan()
  // The moved page and the page that links to it, before and after the change.
  expect(recorder.take()).toEqual(['layout # A', 'layout # A', 'layout # B', 'layout # B', 'scan # A'])
  const { writes } = await plan()
  expect(recorder.take()).toEqual([])
  await applyMove(workspace, moves, writes)
  await checkDocs({ workspace, scope: 'changed' })
  expect(recorder.take()).toEqual([])
})
