import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, findBarriers, openConsole } from '../support/console-rig.ts'
import { startCloud } from '../support/test-cloud.ts'

test('BRG-45 CON-18: the page with the code for the Mentra app', { skip: browserMissing }, async (t) => {
  const [cloud, browser] = await Promise.all([startCloud(t), startBrowser(t)])
  const { page, problems } = await openConsole(browser, cloud.url)
  await createAdministrator(page, 'ada@example.org')
  await page.goto('/glasses/connect')
  await page.getByText('Other glasses', { exact: true }).click()
  await page.getByRole('link', { name: 'Show the code for the Mentra app' }).click()
  await page.getByRole('heading', { name: 'Glasses through the Mentra app', level: 1 }).waitFor()
  await page.getByText('Nobody has tried this with a phone yet').waitFor()
  await page.getByRole('img', { name: 'QR code that installs the mini app' }).waitFor()
  const address = await page.getByRole('textbox', { name: 'Address of the mini app' }).inputValue()
  assert.equal(address, `${cloud.url}/glasses/bridge`)
  const { version } = (await (await fetch(`${address}/miniapp.json`)).json()) as { version: string }
  await page.getByText(`Version ${version}`).waitFor()
  const sum = await (await fetch(`${address}/bundle.zip.sha256`)).text()
  const hash = await page.getByRole('textbox', { name: 'SHA-256 of the archive' }).inputValue()
  assert.equal(sum, `${hash}  bundle.zip\n`)
  await page.getByText('enter it').waitFor()
  assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
  assert.deepEqual(problems, [])
})
