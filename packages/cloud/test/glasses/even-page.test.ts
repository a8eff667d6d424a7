import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console-rig.ts'
import { startCloud } from '../support/test-cloud.ts'

test('EHB-40 EHB-41: the page in an ordinary browser', { skip: browserMissing }, async (t) => {
  const [cloud, browser] = await Promise.all([startCloud(t), startBrowser(t)])
  const { page, problems } = await openConsole(browser, cloud.url)
  const response = await page.goto('/glasses/even')
  assert.match(
    response?.headers()['content-security-policy'] ?? '',
    /^default-src 'none'; script-src 'self'; /,
  )
  await page.getByText('This page works in the Even app only.').waitFor()
  await page.getByText('the console shows it under Connect your glasses').waitFor()
  assert.deepEqual(problems, [])
})
