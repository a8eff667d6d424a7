import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUpCodeOf } from '@glasses-cloud/cloud/set-up'
import { startBrowser } from '@glasses-cloud/cloud/test/browser'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { against, type Benchmark, type Figure, measureInTurn } from '../figure.ts'
import { AUTH_SECRET, ServerProcess } from '../support/server-process.ts'

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
    const browser = await startBrowser({ after() {} })
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
    const [store, baseline] = await measureInTurn(
      ROUNDS,
      [() => timeToInteractive(context), () => timeToInteractive(bareContext)],
      0,
    )
    return [
      {
        name: 'time to interactive of the store',
        value: store / baseline,
        unit: '× bare page',
        detail: against(store, baseline, 'ms'),
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

/** Creates the first account of a cloud, and returns a context in which it is signed in. */
async function signIn(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`/?setup=${setUpCodeOf(AUTH_SECRET)}`)
  await page.getByLabel('E-mail address').fill('bench@example.org')
  await page.getByLabel('Password', { exact: true }).fill('a long password')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.getByRole('navigation').first().waitFor()
  await page.close()
  return context
}

const CONSOLE = fileURLToPath(new URL('../../../packages/console/', import.meta.url))
const VITE = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' }

/** A page with the bare framework of the console, built as the console is, and its server. */
interface BarePage {
  readonly url: string
  close(): Promise<void>
}

/**
 * Builds `packages/console/bare` with the configuration of the console, and serves it compressed.
 * @param apps the response of `GET /api/apps`, as JSON
 */
async function serveBarePage(apps: string): Promise<BarePage> {
  const folder = await mkdtemp(join(tmpdir(), 'bare-page-'))
  const args = [
    'build',
    join(CONSOLE, 'bare'),
    '--config',
    join(CONSOLE, 'vite.config.ts'),
    '--outDir',
    folder,
  ]
  const { status, stderr } = spawnSync(process.execPath, [VITE, ...args, '--logLevel', 'warn'], {
    cwd: CONSOLE,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/api/apps') return void response.setHeader('content-type', 'application/json').end(apps)
    const path = url.startsWith('/assets/') ? url : '/index.html'
    const headers = { 'content-type': TYPES[extname(path)] ?? 'text/plain' }
    const compressed = await readFile(join(folder, `${path}.br`)).catch(() => undefined)
    if (compressed !== undefined)
      return void response.writeHead(200, { ...headers, 'content-encoding': 'br' }).end(compressed)
    const plain = await readFile(join(folder, path)).catch(() => undefined)
    response.writeHead(plain === undefined ? 404 : 200, headers).end(plain)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
