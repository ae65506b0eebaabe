import type { Page } from '@corrigenda/testkit'
import { expectAccessible, expectNoSideScroll, themes, widths } from '@corrigenda/testkit'
import { expect } from 'vitest'
import type { SignedIn, TestDashboard } from './open-dashboard.ts'

type Variant = readonly [theme: (typeof themes)[number], width: (typeof widths)[number]]

const ALL: readonly Variant[] = themes.flatMap((theme) => widths.map((width) => [theme, width] as const))
/** The variants that the checks of a test file use in turn. `pnpm qa browser` checks all six. */
const FEW: readonly Variant[] = [
  ['dark', 360],
  ['light', 1280],
]
/** Number of checks by test file. */
const checks = new Map<string, number>()

function pickVariants(): readonly Variant[] {
  if (process.env.VARIANTS === 'all') return ALL
  const { testPath = '' } = expect.getState()
  const number = checks.get(testPath) ?? 0
  checks.set(testPath, number + 1)
  return FEW.filter((_, index) => index === number % FEW.length)
}

/**
 * Checks the page for horizontal overflow and serious accessibility violations in one or all themes
 * and widths. Then resets the window to 1280 pixels and the light theme.
 */
export async function checkVariants(page: Page): Promise<void> {
  for (const [theme, width] of pickVariants()) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 800 })
    // Components that depend on the width are rendered again in the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await expectNoSideScroll(page)
    // A box that stays at the bottom of the window covers nothing at the end of the page.
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    await expectAccessible(page)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

/**
 * Opens a screen and checks it with `checkVariants`. Expects no errors, content security policy
 * violations or external requests.
 * @param ready waits until the screen shows its content
 */
export async function checkScreen(
  dashboard: TestDashboard,
  at: string,
  ready: (page: Page) => Promise<unknown>,
  as?: SignedIn | null,
): Promise<void> {
  const watched = await dashboard.openPage(at, as === undefined ? {} : { as })
  await ready(watched.page)
  await checkVariants(watched.page)
  watched.expectClean()
  await watched.close()
}
