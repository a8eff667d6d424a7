import { readdir, stat } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Benchmark } from '../benchmark.ts'
import { type Figure, formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { serveBarePage } from '../support/bare-page.ts'
import { signIn, startBrowser } from '../support/console-browser.ts'
import { ServerProcess } from '../support/server-process.ts'

const ROUNDS = 7
const APPS = 50
const SLOWDOWN = 4
const ASSETS = new URL('../../../packages/console/dist/assets/', import.meta.url)

/** Pages whose files are loaded when they are opened. */
const PAGES = ['/glasses', '/gallery', '/account', '/developer', '/developer/new', '/organizations', '/admin']

/** Parts that a page loads on demand, by the start of their file name. */
const PARTS = ['lc3']

/** Time after which the page shows the apps and its thread is idle, in ms since the start of the navigation. */
const TIME_TO_INTERACTIVE = `new Promise((resolve) => {
  const check = () => {
    if (document.querySelectorAll('article').length === 0) return requestAnimationFrame(check)
    requestIdleCallback(() => resolve(performance.now()))
  }
  check()
})`

/** Compressed sizes of the console, and the time until its store can be used. */
export const webConsole: Benchmark = {
  title: `sizes of the console; time to interactive of the store with ${APPS} apps, processor slowed down ${SLOWDOWN} times`,
  async run() {
    const cloud = await ServerProcess.start('cloud')
    const browser = await startBrowser()
    try {
      const url = `http://127.0.0.1:${cloud.port}`
      const context = await signIn(browser, url)
      await cloud.run({ command: 'seed', counts: { apps: APPS, users: 1, installs: 0, photos: 0 } })
      return [...(await measureSizes(context)), ...(await measureTimes(browser, context))]
    } finally {
      await browser.close()
      await cloud.stop()
    }
  },
}

async function measureSizes(context: BrowserContext): Promise<Figure[]> {
  const first = await filesOf(context, '/store')
  const script = (files: ReadonlyMap<string, number>) =>
    [...files].reduce((sum, [path, bytes]) => (path.endsWith('.js') ? sum + bytes : sum), 0)
  const figures: Figure[] = [
    { name: 'first load, script', value: script(first) / 1024, unit: 'KB', aim: { atMost: 200 } },
    { name: 'first load, styles', value: (total(first) - script(first)) / 1024, unit: 'KB' },
  ]
  for (const path of PAGES) {
    const files = [...(await filesOf(context, path))].filter(([file]) => !first.has(file))
    figures.push({ name: `${path}, in addition`, value: total(new Map(files)) / 1024, unit: 'KB' })
  }
  for (const part of PARTS) {
    const name = (await readdir(ASSETS)).find((file) => file.startsWith(`${part}-`) && file.endsWith('.br'))
    if (name === undefined) throw new Error(`The console has no part ${part}`)
    const { size } = await stat(new URL(name, ASSETS))
    figures.push({ name: `part ${part}, on demand`, value: size / 1024, unit: 'KB' })
  }
  return figures
}

const total = (files: ReadonlyMap<string, number>) =>
  [...files.values()].reduce((sum, bytes) => sum + bytes, 0)

/** The files that a page loads from an empty cache, with their compressed sizes in bytes. */
async function filesOf(context: BrowserContext, path: string): Promise<Map<string, number>> {
  const page = await context.newPage()
  await clearCache(page)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const entries = await page.evaluate<[string, number][]>(
    `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`,
  )
  await page.close()
  return new Map(entries.filter(([file]) => file.startsWith('/assets/')))
}

async function measureTimes(browser: Browser, context: BrowserContext): Promise<Figure[]> {
  const response = await context.request.get('/api/apps')
  const bare = await serveBarePage(await response.text())
  const bareContext = await browser.newContext({ baseURL: bare.url })
  try {
    const [consoleMs, bareMs]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      consoleMs.push(await timeToInteractive(context))
      bareMs.push(await timeToInteractive(bareContext))
    }
    const [store, baseline] = [median(consoleMs), median(bareMs)]
    const detail = `${formatNumber(store)} against ${formatNumber(baseline)} ms`
    return [
      {
        name: 'time to interactive of the store',
        value: store / baseline,
        unit: '× bare page',
        detail,
        aim: { atMost: 3 },
      },
    ]
  } finally {
    await bareContext.close()
    await bare.close()
  }
}

async function timeToInteractive(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  try {
    const session = await clearCache(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await page.goto('/store', { waitUntil: 'commit' })
    return await page.evaluate<number>(TIME_TO_INTERACTIVE)
  } finally {
    await page.close()
  }
}

async function clearCache(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  return session
}
