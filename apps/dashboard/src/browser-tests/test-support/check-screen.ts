import type { Page } from '../../../../../packages/testkit/src/index.ts'
import { expectAccessible, expectNoSideScroll, themes, widths } from '../../../../../packages/testkit/src/index.ts'
import type { SignedIn, TestDashboard } from './open-dashboard.ts'

type Look = readonly [theme: (typeof themes)[number], width: (typeof widths)[number]]

const ALL: readonly Look[] = themes.flatMap((theme) => widths.map((width) => [theme, width] as const))
/** What the suite has time for; `pnpm test:browser` looks at all six. */
const FEW: readonly Look[] = [
  ['light', 1280],
  ['dark', 360],
]

/**
 * Looks at a screen in both themes and its widths: nothing wider than the window, no grave fault of accessibility, no error, no violation of the
 * content security policy, no request to elsewhere.
 * @param ready waits until the screen shows what it is about
 */
export async function checkScreen(
  dashboard: TestDashboard,
  at: string,
  ready: (page: Page) => Promise<unknown>,
  as?: SignedIn | null,
): Promise<void> {
  const looks = process.env.LOOKS === 'all' ? ALL : FEW
  for (const theme of themes) {
    const watched = await dashboard.openPage(at, { theme, width: 1280, ...(as === undefined ? {} : { as }) })
    const { page } = watched
    await ready(page)
    for (const [, width] of looks.filter(([shown]) => shown === theme)) {
      await page.setViewportSize({ width, height: 800 })
      await expectNoSideScroll(page)
      // The middle width has the parts of one of the others.
      if (width !== 768) await expectAccessible(page)
    }
    watched.expectClean()
    await watched.close()
  }
}
