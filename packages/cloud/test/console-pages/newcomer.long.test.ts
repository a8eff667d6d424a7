import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { openConsole, SET_UP_PAGE } from '../support/console-rig.ts'
import { spawnCloud } from '../support/test-cloud.ts'

describe('a newcomer with a browser', { skip: browserMissing }, () => {
  test('SAPP-1: comes from the first account of a new cloud to words on the lens', async (t) => {
    const [cloud, browser] = await Promise.all([
      spawnCloud(t, { env: { SAMPLE_APP: 'on' }, hasDefaultLimits: true }),
      startBrowser(t),
    ])
    const { page, problems } = await openConsole(browser, cloud.url)
    await page.goto(SET_UP_PAGE)
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('link', { name: 'Wear simulated glasses' }).click()
    await page.getByRole('button', { name: 'Put on' }).click()
    await page.getByText('Worn', { exact: true }).waitFor()
    const lens = page.getByRole('region', { name: 'Lens' })
    await lens.getByText('Install an app').waitFor()
    await lens.getByRole('button', { name: 'Install Captions' }).click()
    await lens.getByText('Start an app').waitFor()
    await lens.getByRole('button', { name: 'Start Captions' }).click()
    await page.getByText('An app listens to words').waitFor()
    await page.getByLabel('What you say').fill('say hello there')
    await page.getByRole('button', { name: 'Speak', exact: true }).click()
    await lens.getByText('say hello there').waitFor()
    assert.deepEqual(problems, [])
  })
})
