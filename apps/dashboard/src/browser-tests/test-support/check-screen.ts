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
const LOOKS = process.env.LOOKS === 'all' ? ALL : FEW

/**
 * Looks at what a page shows now in both themes and its widths: nothing wider than the window, no grave fault of accessibility. The window is
 * 1280 pixels wide and the theme light afterwards.
 */
export async function checkLooks(page: Page): Promise<void> {
  for (const [theme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 800 })
    await expectNoSideScroll(page)
    // The middle width has the parts of one of the others.
    if (width !== 768) await expectAccessible(page)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

/**
 * Opens a screen and looks at it: see `checkLooks`; no error, no violation of the content security policy, no request to elsewhere.
 * @param ready waits until the screen shows what it is about
 */
export async function checkScreen(
  dashboard: TestDashboard,
  at: string,
  ready: (page: Page) => Promise<unknown>,
  as?: SignedIn | null,
): Promise<void> {
  const watched = await dashboard.openPage(at, as === undefined ? {} : { as })
  await ready(watched.page)
  await checkLooks(watched.page)
  watched.expectClean()
  await watched.close()
}
