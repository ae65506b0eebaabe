import { isVue } from '../pages/dialect.ts'
import { readComponent } from '../pages/read-component.ts'
import { readLayout } from '../pages/read-layout.ts'
import { readPage } from '../pages/read-page.ts'
import { readShortcode } from '../pages/read-shortcode.ts'
import { scanPage } from '../pages/scan-page.ts'
import type { CheckTask, CheckValue } from './task.ts'

/** Runs a task immediately. CPU work without a time limit. */
export async function runTask(task: CheckTask): Promise<CheckValue<CheckTask>> {
  switch (task.kind) {
    case 'page':
      if (task.dialect === 'component') return readComponent(task.bytes)
      if (task.dialect === 'shortcode') return readShortcode(task.bytes)
      if (!isVue(task.dialect)) return readPage(task.bytes, task.dialect)
      // Vue's compiler takes as long to load as the parser, and few repositories need it.
      return (await import('../vue/read-vue-page.ts')).readVuePage(task.bytes, task.dialect)
    case 'layout':
      return readLayout(task.bytes, task.dialect)
    case 'scan': {
      let end = 0
      return task.lengths.map((length) => {
        end += length
        return scanPage(task.bytes.subarray(end - length, end))
      })
    }
    default:
      // Most repositories do not use this linter, which takes as long to load as the parser.
      return (await import('./run-markdownlint.ts')).runMarkdownlint(task.bytes, task.rules)
  }
}
