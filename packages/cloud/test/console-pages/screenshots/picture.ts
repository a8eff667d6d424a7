import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export type ColorScheme = 'light' | 'dark'

/** Which pictures are made of a page, and where they are stored. */
export interface PictureOptions {
  readonly widths: readonly number[]
  readonly themes: readonly ColorScheme[]
  readonly folder: string
  /** WebP for the documentation; PNG is shown by every program. */
  readonly format: 'webp' | 'png'
  /** Whether the whole page is pictured instead of the first screen. */
  readonly isWhole: boolean
}

/** The width whose light picture has the name of the page alone. */
const USUAL_WIDTH = 1280

/** Heights of screens by their width: a phone, a tablet and a laptop. */
const HEIGHTS: Readonly<Record<number, number>> = { 320: 690, 390: 844, 768: 1024, 1280: 800 }

const MAX_BYTES = 100 * 1024
const WEBP_QUALITY = 72

/** Pictures a page in each width and theme, once it is complete and nothing moves. */
export async function takePictures(page: Page, name: string, options: PictureOptions): Promise<void> {
  for (const width of options.widths)
    for (const theme of options.themes) {
      await page.setViewportSize({ width, height: HEIGHTS[width] ?? 800 })
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await settle(page)
      const usual = width === USUAL_WIDTH && theme === 'light'
      const file = `console-${name}${usual ? '' : `-${width}-${theme}`}.${options.format}`
      await capture(page, join(options.folder, file), options)
    }
}

/** Waits until a page shows its heading, or why it cannot. */
export async function waitForContent(page: Page): Promise<void> {
  await page.getByRole('heading').or(page.getByRole('alert')).first().waitFor()
}

async function settle(page: Page): Promise<void> {
  await waitForContent(page)
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  for (const loading of await page.getByText('Loading…').all()) await loading.waitFor({ state: 'detached' })
  await page.evaluate(
    `Promise.allSettled([
       ...[...document.images].filter((image) => image.loading !== 'lazy').map((image) => image.decode()),
       ...document.getAnimations().map((each) => each.finished),
     ]).then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))`,
  )
}

/** The browser itself writes WebP, which the library does not offer. */
async function capture(page: Page, path: string, { format, isWhole }: PictureOptions): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  try {
    const { data } = await devTools.send('Page.captureScreenshot', {
      format,
      captureBeyondViewport: isWhole,
      ...(isWhole && { clip: await wholePage(page) }),
      ...(format === 'webp' && { quality: WEBP_QUALITY }),
    })
    const picture = Buffer.from(data, 'base64')
    if (format === 'webp' && !isWhole && picture.length > MAX_BYTES)
      throw new Error(`${path} is larger than ${MAX_BYTES} bytes: ${picture.length}`)
    await writeFile(path, picture)
    console.log(`${path}: ${Math.round(picture.length / 1024)} KB`)
  } finally {
    await devTools.detach()
  }
}

async function wholePage(page: Page) {
  const [width, height] = await page.evaluate<[number, number]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollHeight]',
  )
  return { x: 0, y: 0, width, height, scale: 1 }
}
