/**
 * `npm run icons`: makes the icons of the installed console from its
 * `favicon.svg`. Needs the program `chromium`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { startBrowser } from '../support/browser.ts'

const PUBLIC = new URL('../../../console/public/', import.meta.url)
const BRAND = '#1d4ed8'

/** Systems cut maskable icons to their own shape, within a circle of 80 %, and round the corners of Apple's themselves. */
const ICONS = [
  { name: 'icon-192.png', size: 192, scale: 1, background: 'transparent' },
  { name: 'icon-512.png', size: 512, scale: 1, background: 'transparent' },
  { name: 'icon-maskable.png', size: 512, scale: 0.72, background: BRAND },
  { name: 'apple-touch-icon.png', size: 180, scale: 0.84, background: BRAND },
] as const

const cleanUps: (() => unknown)[] = []
try {
  const browser = await startBrowser({ after: (step) => void cleanUps.push(step) })
  const page = await browser.newPage()
  const svg = await readFile(new URL('favicon.svg', PUBLIC), 'utf8')
  for (const { name, size, scale, background } of ICONS) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(
      `<style>html{height:100%}body{margin:0;height:100%;display:grid;place-items:center;background:${background}}svg{width:${size * scale}px;height:${size * scale}px}</style>${svg}`,
    )
    await writeFile(new URL(name, PUBLIC), await page.screenshot({ omitBackground: true }))
  }
} finally {
  for (const step of cleanUps.reverse()) await step()
}
