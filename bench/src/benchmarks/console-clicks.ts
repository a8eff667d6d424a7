import type { BrowserContext, Page } from 'playwright-core'
import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { serveBarePage } from '../support/bare-page.ts'
import { signIn, startBrowser } from '../support/console-browser.ts'
import { ServerProcess } from '../support/server-process.ts'

const SLOWDOWN = 4
const ROUNDS = 3
const APPS = 50

/** Time in ms in which the browser reports past events. */
const ENTRIES_MS = 500

/** Names of the links of the main navigation, in the order in which they are clicked. */
const WALK = ['Glasses', 'Gallery', 'Developer', 'Organizations', 'Account', 'Administration', 'Apps']

/** Longest time from a click to the next frame, in ms; the browser reports none below 16 ms. */
const SLOWEST_CLICK = `new Promise((resolve) => {
  const durations = [16]
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (['pointerdown', 'pointerup', 'click'].includes(name)) durations.push(duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 })
  setTimeout(() => resolve(Math.max(...durations)), ${ENTRIES_MS})
})`

/** The slowest answer to a click on a walk through the pages and the tools of the glasses. */
export const consoleClicks: Benchmark = {
  title: `slowest answer to a click in the console, processor slowed down ${SLOWDOWN} times`,
  async run() {
    const cloud = await ServerProcess.start('cloud')
    const browser = await startBrowser()
    try {
      const context = await signIn(browser, `http://127.0.0.1:${cloud.port}`)
      await cloud.run({ command: 'seed', counts: { apps: APPS, users: 1, installs: 0, photos: 0 } })
      const bare = await serveBarePage(await (await context.request.get('/api/apps')).text())
      const bareContext = await browser.newContext({ baseURL: bare.url })
      try {
        const [consoleMs, bareMs]: [number[], number[]] = [[], []]
        for (let round = 0; round < ROUNDS; round += 1) {
          consoleMs.push(await measure(context, clickThroughPages))
          bareMs.push(await measure(bareContext, clickOnArticle))
        }
        const [slowest, baseline] = [median(consoleMs), median(bareMs)]
        const detail = `${formatNumber(slowest)} against ${formatNumber(baseline)} ms`
        return [
          { name: 'slowest click', value: slowest, unit: 'ms', aim: { atMost: 150 } },
          { name: 'slowest click', value: slowest / baseline, unit: '× bare page', detail },
        ]
      } finally {
        await bareContext.close()
        await bare.close()
      }
    } finally {
      await browser.close()
      await cloud.stop()
    }
  },
}

/** Opens the store on a slow processor, clicks, and returns the slowest answer in ms. */
async function measure(context: BrowserContext, click: (page: Page) => Promise<void>): Promise<number> {
  const page = await context.newPage()
  try {
    await page.goto('/store')
    await page.getByRole('article').first().waitFor()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await click(page)
    return await page.evaluate<number>(SLOWEST_CLICK)
  } finally {
    await page.close()
  }
}

async function clickThroughPages(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const open = async (name: string) => {
    await navigation.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  for (const name of WALK) await open(name)
  await page.getByRole('article').first().getByRole('link').click()
  await page.getByRole('heading', { name: 'Permissions' }).waitFor()
  await open('Glasses')
  await page.getByRole('button', { name: 'Put on', exact: true }).click()
  await page.getByText('Worn', { exact: true }).waitFor()
  for (const tool of await page.getByRole('tab').all()) {
    await tool.click()
    await page.locator('[role=tab][aria-selected=true]').and(tool).waitFor()
  }
  await page.getByRole('button', { name: 'Take off' }).click()
}

/** The bare page has nothing to click: its answer is what the browser itself needs. */
async function clickOnArticle(page: Page): Promise<void> {
  for (const _ of WALK) await page.getByRole('article').first().click()
}
