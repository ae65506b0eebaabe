import type { Page } from '@corrigenda/testkit'
import { FILES } from './create-large-change.ts'

/** Height of the bar above the change, which sticks to the top of the window. */
export const BAR = 44
/** Height of a file's header, which sticks below the bar. */
export const HEAD = 44
/** Space between the header and a change that was jumped to. */
export const CONTEXT = 48
/** Paths of the files, in the order of the page. */
export const NAMES = Array.from({ length: FILES }, (_, n) => `docs/guides/page-${n}.md`)

/** Evaluates an expression until it has the same value in several frames, and returns it. */
export async function settle<T>(page: Page, expression: string): Promise<T> {
  return (await page.evaluate(`new Promise((done) => {
    let last, still = 0
    const look = () => {
      const now = JSON.stringify(${expression})
      still = now === last ? still + 1 : 0
      last = now
      still > 10 ? done(now === undefined ? null : JSON.parse(now)) : requestAnimationFrame(look)
    }
    look()
  })`)) as T
}

/** Path in the file header at the top of the window, below the bar. */
export const READ_HEADER = `document.elementFromPoint(document.querySelector('.diff-list').getBoundingClientRect().left + 60, ${BAR + 20})
  .closest('.diff-file')?.querySelector('.diff-file-path').title ?? null`

/** Distance from the top of the window to an element, or null without one. */
export const toTop = (selector: string) =>
  `Math.round(document.querySelector('${selector}')?.getBoundingClientRect().top ?? Number.NaN)`

/** Distance from the bar to the top of a file's section. */
export const toSectionTop = (path = '') => `Math.round([...document.querySelectorAll('[data-section]')]
  .find((one) => one.querySelector('.diff-file-path')?.title === '${path}')?.getBoundingClientRect().top - ${BAR})`
