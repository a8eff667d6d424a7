import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { createConsolePages } from '../../src/features/console-pages/index.ts'
import { serve } from '../../src/http/testing.ts'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { waitUntilTrue } from '../support/console-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud } from '../support/test-cloud.ts'

const BUILD = fileURLToPath(new URL('.', import.meta.resolve('@glasses-cloud/console/dist/index.html')))

describe('installed console', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let browser: Browser

  before(async () => {
    browser = await startBrowser(scope)
  })

  /** Opens a page with its service worker in charge. */
  async function openInstalled(url: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: url })
    scope.after(() => context.close())
    const page = await context.newPage()
    // A page that leads nowhere by itself: of a new cloud, the others go on to the first account.
    await page.goto('/reset-password')
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await waitUntilTrue(page, 'navigator.serviceWorker.controller !== null')
    return page
  }

  test('CON-213: the manifest is valid, and its icons have their sizes', async (t) => {
    const cloud = await spawnCloud(t)
    const page = await openInstalled(cloud.url)
    const devTools = await page.context().newCDPSession(page)
    const { errors, data = '' } = await devTools.send('Page.getAppManifest')
    assert.deepEqual(errors, [])
    const manifest: { icons: { src: string; sizes: string; purpose?: string }[] } = JSON.parse(data)
    assert.ok(manifest.icons.some(({ purpose }) => purpose === 'maskable'))
    for (const { src, sizes } of [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
      const response = await page.request.get(src)
      assert.equal(response.headers()['content-type'], 'image/png', src)
      const png = await response.body()
      assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes, src)
    }
    for (const [path, type] of [
      ['/manifest.webmanifest', 'application/manifest+json'],
      ['/sw.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const headers = (await page.request.get(path)).headers()
      assert.deepEqual([headers['content-type'], headers['cache-control']], [type, 'no-cache'])
    }
  })

  test('CON-213: a page that cannot be reached says so, and opens when the cloud is back', async (t) => {
    const first = await spawnCloud(t)
    const page = await openInstalled(first.url)
    const { port } = new URL(first.url)
    await first.stop()
    await page.goto('/reset-password')
    await page.getByRole('heading', { name: 'Glasses Cloud cannot be reached' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/reset-password')
    const background = await page.evaluate('getComputedStyle(document.querySelector("a")).backgroundColor')
    assert.equal(background, 'rgb(29, 78, 216)', 'its style is applied')
    await spawnCloud(t, { env: { PORT: port } })
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    assert.deepEqual(await page.evaluate('caches.keys()'), [], 'nothing is stored')
  })

  test('CON-213: a new build replaces the worker and its page', async (t) => {
    // Served from here, because a cloud serves the build that it was installed with.
    const folder = await mkdtemp(join(tmpdir(), 'console-'))
    t.after(() => rm(folder, { recursive: true }))
    await cp(BUILD, folder, { recursive: true })
    const { endpoints = [] } = createConsolePages(
      () => new URL('http://localhost'),
      pathToFileURL(join(folder, 'index.html')),
    )
    const { url } = await serve(t, endpoints)
    const page = await openInstalled(url)
    const worker = join(folder, 'sw.js')
    await writeFile(worker, (await readFile(worker, 'utf8')).replace('cannot be reached', 'is away'))
    await page.evaluate(`(async () => {
      const replaced = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
      await (await navigator.serviceWorker.getRegistration()).update()
      await replaced
    })()`)
    await page.context().setOffline(true)
    await page.goto('/reset-password')
    await page.getByRole('heading', { name: 'Glasses Cloud is away' }).waitFor()
  })
})
