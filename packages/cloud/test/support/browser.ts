import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { findProgram } from '../../src/config/index.ts'
import { skipIfMissing } from './optional-part.ts'
import type { Scope } from './scope.ts'

/** Programs of the browser, the one that uses least processor time first. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The browser's program: `TEST_CHROMIUM`, or the first one in the search path. */
const executablePath =
  process.env.TEST_CHROMIUM ?? PROGRAMS.map(findProgram).find((path) => path !== undefined)

/** Why tests that need a browser are skipped; false if there is one. */
export const browserMissing = skipIfMissing(
  executablePath === undefined
    ? 'Chromium is not installed (apt-get install chromium-headless-shell, or set TEST_CHROMIUM)'
    : undefined,
)

/**
 * Starts a browser without a window, which the end of the scope closes. Tests of one run share a program, as windows of
 * their own, unless they need arguments.
 * @param args further arguments of its program
 */
export async function startBrowser(scope: Scope, args: string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error(String(browserMissing))
  const shared = args.length === 0 ? process.env.TEST_BROWSER_SERVER : undefined
  const browser =
    shared === undefined
      ? await chromium.launch({ executablePath, args, timeout: 60_000 })
      : await chromium.connect(shared, { timeout: 60_000 })
  scope.after(() => browser.close())
  return browser
}

/**
 * Starts the program that the tests of a run share.
 * @returns its address, for `TEST_BROWSER_SERVER`; undefined without a browser
 */
export async function startBrowserServer(): Promise<string | undefined> {
  if (executablePath === undefined) return undefined
  const server = await chromium.launchServer({ executablePath, timeout: 60_000 })
  return server.wsEndpoint()
}

/** An authenticator that a browser has, and the session of the developer tools that controls it. */
export interface VirtualAuthenticator {
  readonly devTools: CDPSession
  readonly authenticatorId: string
}

/** Gives a page an authenticator that stores passkeys and verifies its user without a question. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devTools, authenticatorId }
}
