/**
 * `npm run screenshots`: makes the pictures of docs/console.md. Starts a cloud with the sample apps, walks the console in
 * a browser, and writes a WebP of each page to docs/images. Needs the programs `chromium` and `ffmpeg`.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glasses } from '@glasses-cloud/glasses'
import type { Page } from 'playwright-core'
import { findFreePort } from '../../src/http/free-port.ts'
import { startBrowser } from '../support/browser.ts'
import { createAdministrator, openConsole, SET_UP_PAGE } from '../support/console-rig.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const IMAGES = join(ROOT, 'docs/images')
const SIZE = { width: 1280, height: 800 }
const MAX_BYTES = 100 * 1024
const WEBP_QUALITY = '82'

const email = 'ada@example.org'
const captions = 'dev.example.captions'
const organization = 'glasses-lab'

/** The pages after signing in, by the name of their picture. */
const PAGES: Readonly<Record<string, string>> = {
  welcome: '/welcome',
  store: '/store',
  app: `/store/${captions}`,
  gallery: '/gallery',
  account: '/account',
  'account-security': '/account/security',
  'account-sessions': '/account/sessions',
  'account-data': '/account/data',
  developer: '/developer',
  'developer-new': '/developer/new',
  'developer-app': `/developer/apps/${captions}`,
  'developer-edit': `/developer/apps/${captions}/edit`,
  'developer-keys': `/developer/apps/${captions}/keys`,
  'developer-connection': `/developer/apps/${captions}/connection`,
  'developer-log': `/developer/apps/${captions}/log`,
  'developer-usage': `/developer/apps/${captions}/usage`,
  'first-app': '/developer/first-app',
  organizations: '/organizations',
  organization: `/organizations/${organization}`,
  'admin-users': '/admin',
  'admin-sessions': '/admin/sessions',
  'admin-health': '/admin/health',
  'admin-audit': '/admin/audit',
  'admin-settings': '/admin/settings',
}

const cleanUps: (() => unknown)[] = []
const scope = { after: (step: () => unknown) => void cleanUps.push(step) }
try {
  await makePictures()
} finally {
  for (const step of cleanUps.reverse()) await step()
}

async function makePictures(): Promise<void> {
  const cloud = await startCloud(scope, { env: { STREAM_PROVIDER: 'memory' } })
  for (const name of ['captions', 'camera', 'notebook', 'dashboard']) await startSampleApp(cloud, name)
  const { context, page } = await openConsole(await startBrowser(scope), cloud.url)
  await page.setViewportSize(SIZE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await mkdir(IMAGES, { recursive: true })

  await page.goto(SET_UP_PAGE)
  await save(page, 'first-run')
  await createAdministrator(page, email)
  await useGlasses(cloud)
  await wearGlasses(page)
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path)
    if (name === 'developer-connection') await testConnection(page)
    await save(page, name)
  }
  await context.clearCookies()
  await page.goto('/sign-in')
  await save(page, 'sign-in')
}

/** Starts a sample app whose developer is the user. */
async function startSampleApp(cloud: LocalCloud, name: string): Promise<void> {
  const manifest = JSON.parse(
    await readFile(new URL(`../../../../apps/${name}/manifest.json`, import.meta.url), 'utf8'),
  )
  const port = await findFreePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const registered = await cloud.registerApp({ ...manifest, publicUrl, webviewURL: '', developerId: email })
  await SdkApp.start(scope, { app: name, ...registered, port })
}

/** Takes photos, runs apps and makes an organization, so that the pages have something to show. */
async function useGlasses(cloud: LocalCloud): Promise<void> {
  const token = await cloud.token(email)
  const body = { slug: organization, name: 'Glasses Lab' }
  const created = await cloud.request('POST', '/api/console/orgs', { token, body })
  if (created.status !== 200)
    throw new Error(`The organization was not created: ${JSON.stringify(created.body)}`)
  const glasses = new Glasses({ url: cloud.url, token, model: 'Mentra Live' })
  await glasses.connect()
  const { phone } = glasses
  for (const name of [captions, 'dev.example.camera', 'dev.example.notebook']) await phone.install(name)
  await phone.startApp('dev.example.camera')
  for (let count = 1; count <= 6; count += 1) {
    glasses.pressButton()
    await glasses.waitForMessage('photo_request')
    await waitForPhotos(cloud, token, count)
  }
  await glasses.disconnect()
}

async function waitForPhotos(cloud: LocalCloud, token: string, count: number): Promise<void> {
  for (;;) {
    const { body } = await cloud.request<{ photos: unknown[] }>('GET', '/api/gallery', { token })
    if (body.photos.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Pictures the simulated glasses while they show captions. */
async function wearGlasses(page: Page): Promise<void> {
  await page.goto('/glasses')
  await page.getByRole('button', { name: 'Model' }).click()
  await page.getByRole('option', { name: 'Even Realities G1' }).click()
  await page.getByRole('button', { name: 'Put on' }).click()
  await page.getByRole('button', { name: 'Start Captions' }).click()
  await page.getByText('The cloud asks for: transcription').waitFor()
  await page.getByLabel('What you say').fill('Good morning, and welcome to the workshop.')
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
  await page.getByRole('region', { name: 'Lens' }).getByText('workshop.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.evaluate('window.scrollTo(0, 0)')
  await save(page, 'glasses')
  await page.getByRole('tab', { name: 'App starts' }).click()
  await page.getByText('First content on the lens').waitFor()
  await page.evaluate(`document.querySelector('[role="tablist"]').scrollIntoView()`)
  await save(page, 'glasses-inspector')
}

async function testConnection(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('Works', { exact: true }).first().waitFor()
}

/** Waits until the page is complete and nothing moves, and writes its picture. */
async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const loading of await page.getByText('Loading…').all()) await loading.waitFor({ state: 'detached' })
  await page.evaluate(
    `Promise.allSettled([
       ...[...document.images].map((image) => image.decode()),
       ...document.getAnimations().map((each) => each.finished),
     ]).then(() => {})`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'screenshots-'))
  try {
    const [png, webp] = [join(folder, 'page.png'), join(IMAGES, `console-${name}.webp`)]
    await page.screenshot({ path: png, animations: 'disabled', caret: 'hide' })
    const args = ['-v', 'error', '-y', '-i', png, '-quality', WEBP_QUALITY, '-preset', 'text', webp]
    const { status, stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`ffmpeg failed: ${stderr}`)
    const { size } = await stat(webp)
    if (size > MAX_BYTES) throw new Error(`${webp} is larger than ${MAX_BYTES} bytes: ${size}`)
    console.log(`${name}: ${Math.round(size / 1024)} KB`)
  } finally {
    await rm(folder, { recursive: true })
  }
}
