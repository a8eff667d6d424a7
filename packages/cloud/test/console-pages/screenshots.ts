/**
 * `npm run screenshots -- [--width 390,768,1280] [--theme light,dark] [--out FOLDER] [--whole] [NAME...]`: pictures
 * every page of the console, or the named ones. Starts a cloud with the sample apps and walks the console in a browser.
 * Writes PNG files to FOLDER, `screenshots` by default. Needs the program `chromium`.
 * With `--docs`: makes the pictures of the documentation again, those in docs/images or the named ones, as WebP files.
 */
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { createAdministrator, openConsole, SET_UP_PAGE } from '../support/console-rig.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { email, registerApps, useCloud } from './screenshots/content.ts'
import { PICTURED_PAGES, type Viewer } from './screenshots/pages.ts'
import { type ColorScheme, type PictureOptions, takePictures, waitForContent } from './screenshots/picture.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const IMAGES = join(ROOT, 'docs/images')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', default: '390,768,1280' },
    theme: { type: 'string', default: 'light,dark' },
    out: { type: 'string', default: join(ROOT, 'screenshots') },
    docs: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
  },
})

const options: PictureOptions = values.docs
  ? { widths: [1280], themes: ['light'], folder: IMAGES, format: 'webp', isWhole: false }
  : {
      widths: values.width.split(',').map(Number),
      themes: values.theme.split(',') as ColorScheme[],
      folder: resolve(values.out),
      format: 'png',
      isWhole: values.whole,
    }
const names =
  values.docs && positionals.length === 0
    ? (await readdir(IMAGES)).map((file) => file.replace(/^console-|\.webp$/g, ''))
    : positionals

const FIRST_RUN = 'first-run'
const known = [FIRST_RUN, ...PICTURED_PAGES.map(({ name }) => name)]
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0)
  throw new Error(`Unknown pages: ${unknown.join(', ')}. The pages are: ${known.join(', ')}`)

const cleanUps: (() => unknown)[] = []
try {
  await pictureAll({ after: (step: () => unknown) => void cleanUps.push(step) })
} finally {
  for (const step of cleanUps.reverse()) await step()
}

async function pictureAll(scope: { after: (step: () => unknown) => void }): Promise<void> {
  await mkdir(options.folder, { recursive: true })
  const cloud = await startCloud(scope, { env: { STREAM_PROVIDER: 'memory', APP_REVIEW: 'on' } })
  const browser = await startBrowser(scope)
  const administrator = (await openConsole(browser, cloud.url)).page
  await administrator.emulateMedia({ reducedMotion: 'reduce' })
  if (names.length === 0 || names.includes(FIRST_RUN)) {
    await administrator.goto(SET_UP_PAGE)
    await takePictures(administrator, FIRST_RUN, options)
  }
  await registerApps(cloud, scope)
  await createAdministrator(administrator, email)
  await useCloud(cloud, scope)

  const pages: Record<Viewer, () => Promise<Page>> = {
    administrator: async () => administrator,
    newcomer: once(() => openNewcomer(browser, cloud)),
    visitor: once(async () => (await openConsole(browser, cloud.url)).page),
  }
  for (const { name, path, as, prepare } of PICTURED_PAGES) {
    if (names.length > 0 && !names.includes(name)) continue
    const page = await pages[as]()
    try {
      // A page of its own: a changed fragment alone would not load it anew.
      await page.goto('about:blank')
      await page.goto(path)
      await waitForContent(page)
      await prepare?.(page)
      await takePictures(page, name, options)
    } catch (error) {
      process.exitCode = 1
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** Opens the console as a user who has just signed up. */
async function openNewcomer(browser: Browser, cloud: LocalCloud): Promise<Page> {
  const { page } = await openConsole(browser, cloud.url)
  const data = { email: 'eve@example.org', password: 'a long password', name: 'Eve' }
  const headers = { origin: cloud.url }
  const response = await page.request.post('/api/auth/sign-up/email', { data, headers })
  if (!response.ok()) throw new Error(`The newcomer cannot sign up: ${await response.text()}`)
  return page
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined
  return () => (created ??= create())
}
