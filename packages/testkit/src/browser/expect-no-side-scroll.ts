import type { Page } from 'playwright-core'

/**
 * Asserts that the page cannot be scrolled sideways. A page whose window has just changed its size is
 * given a moment to render.
 * @throws Error that names the elements that extend past the right edge of the window
 */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const wide = (await page.evaluate(`(async () => {
    const width = document.documentElement.clientWidth
    for (let frame = 0; frame < 60 && document.documentElement.scrollWidth > width; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    if (document.documentElement.scrollWidth <= width) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 0.5)
      .map((element) => element.tagName.toLowerCase() + '.' + element.className + ' ' + Math.round(element.getBoundingClientRect().right))
      .concat('(document ' + document.documentElement.scrollWidth + ' of ' + width + ')')
  })()`)) as string[]
  if (wide.length > 0) throw new Error(`${page.url()} scrolls sideways:\n${wide.slice(-12).join('\n')}`)
}
