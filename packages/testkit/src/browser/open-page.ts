import type { Browser, BrowserContext, Page } from 'playwright-core'

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Widths of a phone, of a desktop at 200% zoom, and of a desktop, in CSS pixels. */
export const widths = [360, 640, 1280] as const

export interface PageOptions {
  /** The only origin that the page may contact, such as http://127.0.0.1:8080. */
  readonly origin: string
  readonly theme?: Theme
  readonly width?: number
  readonly height?: number
  /** Initial cookies, copied from another page. */
  readonly storageState?: Awaited<ReturnType<BrowserContext['storageState']>>
  /**
   * Console errors that the test expects. The 4xx responses that the browser logs are always
   * ignored.
   */
  readonly ignore?: readonly RegExp[]
}

/** A page in a separate browser context. Its requests and errors are recorded. */
export interface WatchedPage {
  readonly page: Page
  readonly context: BrowserContext
  /**
   * Unique URLs of requests to other origins. The requests were blocked, except for redirects to
   * another port on this machine.
   */
  readonly foreign: readonly string[]
  /**
   * Uncaught errors, console errors (including content security policy violations) and responses
   * with a status of 500 or higher.
   */
  readonly problems: readonly string[]
  /** @throws Error that lists the requests to other origins and the problems, if any */
  expectClean(): void
  close(): Promise<void>
}

const CLIENT_ERROR = /^Failed to load resource: the server responded with a status of 4\d\d/

/** Opens an empty page and records its requests and errors. */
export async function openPage(browser: Browser, options: PageOptions): Promise<WatchedPage> {
  const { origin, theme = 'light', width = 1280, height = 800, storageState, ignore = [] } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    ...(storageState ? { storageState } : {}),
  })
  context.setDefaultTimeout(90_000)
  const foreign: string[] = []
  const problems: string[] = []
  const isForeign = (url: URL) => /^(https?|wss?):$/.test(url.protocol) && url.origin !== origin
  const note = (url: string) => {
    if (isForeign(new URL(url)) && !foreign.includes(url)) foreign.push(url)
  }
  await context.route(isForeign, (route) => route.abort('blockedbyclient'))
  context.on('request', (request) => note(request.url()))
  context.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} from ${response.url()}`)
  })
  context.on('console', (message) => {
    const text = message.text()
    if (message.type() !== 'error' || CLIENT_ERROR.test(text) || ignore.some((known) => known.test(text))) return
    problems.push(`console: ${text}`)
  })
  context.on('weberror', (error) => {
    const text = error.error().stack ?? error.error().message
    if (!ignore.some((known) => known.test(text))) problems.push(`uncaught: ${text}`)
  })
  const page = await context.newPage()
  page.on('websocket', (socket) => note(socket.url()))
  // Also uses the browser's events. If routes are set, Playwright sometimes misses redirects that
  // CORS blocks.
  const session = await context.newCDPSession(page)
  session.on('Network.requestWillBeSent', (event) => note(event.request.url))
  await session.send('Network.enable')
  return {
    page,
    context,
    foreign,
    problems,
    expectClean() {
      const found = [...foreign.map((url) => `request to another origin: ${url}`), ...problems]
      if (found.length > 0) throw new Error(`The page has problems:\n${found.join('\n')}`)
    },
    close: () => context.close(),
  }
}
