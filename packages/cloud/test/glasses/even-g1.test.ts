import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { bundlePage } from '../support/bundle-page.ts'
import type { G1Page } from './pages/g1-page.ts'

test('Chromium draws text and pictures on both arms of the model', {
  skip: browserMissing,
}, async (t) => {
  const [script, browser] = await Promise.all([bundlePage('g1-page.ts'), startBrowser(t)])
  const page = await browser.newPage()
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.addScriptTag({ content: script })
  const report = () => page.evaluate<ReturnType<G1Page['report']>>('g1.report()')

  await page.evaluate('g1.connect().then((glasses) => { globalThis.glasses = glasses })')
  assert.equal((await report()).links.at(-1), 'connected')
  const lines = ['Words on a lens', 'by Web Bluetooth: déjà vu', '眼鏡']
  const shown = await page.evaluate(
    `glasses.show(${JSON.stringify({ kind: 'text', lines, number: 1, total: 1 })})`,
  )
  assert.equal(shown, true)
  const text = await report()
  assert.deepEqual(text.lenses, [
    { kind: 'text', lines },
    { kind: 'text', lines },
  ])
  assert.ok(text.areLensesEqual && text.light > 0)

  await page.evaluate(`{ g1.model.right.emit(0x01); glasses.setMicrophone(true) }`)
  await page.waitForFunction('g1.report().audioBytes >= 400')
  assert.deepEqual((await report()).gestures, ['right single_tap'])

  await page.evaluate('g1.model.right.drop()')
  await page.waitForFunction(`g1.report().links.at(-1) === 'connected' && g1.report().areLensesEqual`)
  assert.ok((await report()).links.includes('impaired'))

  const isPictureShown = await page.evaluate(
    `glasses.show({ kind: 'picture', picture: { width: 10, height: 10, pixels: new Uint8Array(100).fill(255) } })`,
  )
  assert.equal(isPictureShown, true)
  const picture = await report()
  assert.deepEqual([picture.lenses[1]?.kind, picture.areLensesEqual, picture.light], ['picture', true, 100])
  assert.deepEqual(errors, [])
})
