import type { Page } from '@corrigenda/testkit'

/**
 * Refetches the page's data, as when the user returns to its tab after a minute, and lets the requests
 * to these URLs fail.
 */
export async function failRefetch(page: Page, urls: RegExp): Promise<void> {
  await page.route(urls, (route) => route.fulfill({ status: 403, json: { error: 'The refetch failed.' } }))
  const failed = page.waitForResponse(urls)
  await page.evaluate(`{
    const now = Date.now
    Date.now = () => now() + 60_000
    window.dispatchEvent(new Event('visibilitychange'))
  }`)
  await (await failed).finished()
  // Lets the page render the result.
  await page.waitForTimeout(300)
}
