import type { Page } from 'playwright-core'
import type { Env } from '../../src/config/index.ts'
import { startBrowser } from './browser.ts'
import { bundlePage } from './bundle-page.ts'
import { createAdministrator, openConsole } from './console-rig.ts'
import type { Scope } from './scope.ts'
import { SdkApp } from './sdk-app.ts'
import { spawnCloud, type TestCloud } from './test-cloud.ts'

/** The captions app of a glasses console. */
const CAPTIONS = 'dev.example.captions'

/** The wearer, who administers the cloud. */
export const WEARER = 'ada@example.org'

/** What a glasses console has. */
interface GlassesConsoleOptions {
  readonly env?: Env
  /** The script with modelled glasses that its pages load. */
  readonly model?: string
  /** Another script that its pages run before their own. */
  readonly script?: string
}

/** Starts a cloud, and opens its console in a browser, signed in. */
export async function openGlassesConsole(
  scope: Scope,
  { env = {}, model, script = '' }: GlassesConsoleOptions = {},
) {
  const [cloud, glasses, browser] = await Promise.all([
    spawnCloud(scope, { env }),
    model === undefined ? '' : bundlePage(model),
    startBrowser(scope),
  ])
  const opened = await openConsole(browser, cloud.url)
  await opened.context.addInitScript({ content: `${glasses}\n${script}` })
  await createAdministrator(opened.page, WEARER)
  return { cloud, browser, ...opened }
}

/** Registers the captions app, and installs it in the store, which the page shows. */
export async function installCaptions(
  scope: Scope,
  { cloud, page }: { readonly cloud: TestCloud; readonly page: Page },
): Promise<SdkApp> {
  const { app } = await SdkApp.register(scope, cloud, 'captions', {
    packageName: CAPTIONS,
    name: 'Captions',
    permissions: [{ type: 'MICROPHONE', description: 'To hear what is said' }],
  })
  await page.reload()
  await page.getByRole('button', { name: 'Install Captions' }).click()
  await page.getByRole('button', { name: 'Start Captions' }).waitFor()
  return app
}
