import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SOURCE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/**
 * Checks the current page against WCAG 2.2 A and AA with axe.
 * @throws Error that lists the serious and critical violations
 */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated instead of added as a script element, so that it also runs under a strict content
  // security policy.
  await page.evaluate(readFileSync(SOURCE, 'utf8'))
  const violations = (await page.evaluate(`
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
      .then(({ violations }) => violations)
  `)) as Violation[]
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  if (serious.length > 0)
    throw new Error(`Accessibility violations at ${page.url()}:\n${serious.map(describe).join('\n')}`)
}

function describe({ id, impact, help, nodes }: Violation): string {
  const examples = nodes.slice(0, 5).map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n    ${failureSummary}`)
  return `${impact} ${id}: ${help} (${nodes.length})\n${examples.join('\n')}`
}
