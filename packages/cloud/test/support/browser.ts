import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import type { Scope } from './scope.ts'

/** The browser's program: `TEST_CHROMIUM`, or the first one in the search path. */
const executablePath =
  process.env.TEST_CHROMIUM ?? findProgram(['chromium', 'chromium-browser', 'google-chrome'])

/** Why tests that need a browser are skipped; false if there is one. */
export const browserMissing: string | false =
  executablePath === undefined && 'no Chromium here; install it or set TEST_CHROMIUM to run this'

if (browserMissing !== false && process.env.REQUIRE_SERVICES === '1')
  throw new Error(`a browser is required (REQUIRE_SERVICES=1): ${browserMissing}`)

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

/**
 * Starts a browser without a window, which the end of the scope closes.
 * @param args further arguments of its program
 */
export async function startBrowser(scope: Scope, args: string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error(String(browserMissing))
  const browser = await chromium.launch({ executablePath, args, timeout: 60_000 })
  scope.after(() => browser.close())
  return browser
}
