import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, findBarriers, openConsole } from '../support/console-rig.ts'
import { type ModelPublisher, publishModel, startPublisher } from '../support/model-publisher.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'

const CAPTIONS = 'dev.glasses-cloud.captions'

describe('speech models in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let browser: Browser
  let publisher: ModelPublisher
  let page: Page
  let problems: string[]

  before(async () => {
    publisher = await startPublisher(scope)
    const speechModels = ['en', 'de'].map((language) => ({
      ...publishModel(publisher, `${language}-model`, 'stated', language),
      checked: 'Made for a test.',
    }))
    // In this process, because the models that a cloud knows are part of its sources and hundreds of megabytes large.
    cloud = await startCloud(scope, { overrides: { speechModels } })
    await cloud.registerApp({ packageName: CAPTIONS, name: 'Captions' })
    await cloud.registerApp({ packageName: 'dev.example.other', name: 'Other' })
    browser = await startBrowser(scope)
    ;({ page, problems } = await openConsole(browser, cloud.url))
    await createAdministrator(page, 'ada@example.org')
  })

  /** Expects the page to be accessible, also on a phone, and to have caused no error. */
  async function expectClean() {
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    assert.deepEqual(problems.splice(0), [])
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const toast = (text: string) => page.getByRole('alertdialog').getByText(text).first()
  const offer = (at = page) => at.getByRole('heading', { name: 'Recognize speech on this cloud' })
  const openList = async () => {
    await page.goto('/admin')
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Speech models' })
      .click()
    await page.getByRole('heading', { name: 'Available' }).waitFor()
  }

  test('CON-18: the model for the language of the browser is offered to administrators', async (t) => {
    await page.goto(`/store/${CAPTIONS}`)
    await offer().waitFor()
    await page.goto('/store/dev.example.other')
    await page.getByRole('heading', { name: 'Other', level: 1 }).waitFor()
    assert.equal(await offer().count(), 0)

    await page.goto('/welcome')
    await offer().waitFor()
    await page.getByText('Model en-model (195.3 KB)').waitFor()
    const license = page.getByRole('link', { name: /^License: MIT/ })
    assert.equal(await license.getAttribute('href'), 'https://opensource.org/license/mit')
    await expectClean()

    const other = await openConsole(browser, cloud.url)
    t.after(() => other.context.close())
    await other.page.goto('/sign-up')
    await other.page.getByLabel('E-mail address').fill('eve@example.org')
    await other.page.getByLabel('Password').fill('a long password')
    await other.page.getByRole('button', { name: 'Create account' }).click()
    await other.page.getByRole('link', { name: 'Account', exact: true }).waitFor()
    await other.page.goto('/welcome')
    await other.page.getByRole('heading', { name: 'Connect your glasses' }).waitFor()
    assert.equal(await offer(other.page).count(), 0)
    assert.deepEqual(other.problems, [])

    await button('Install Model en-model').click()
    await offer().waitFor({ state: 'detached' })
    await page.goto(`/store/${CAPTIONS}`)
    await page.getByRole('heading', { name: 'Captions', level: 1 }).waitFor()
    await page.getByText('Permissions').first().waitFor()
    assert.equal(await offer().count(), 0)
  })

  test('CON-18: a model is installed, canceled, fails, is repeated and removed', async () => {
    await openList()
    await row('Model de-model').getByText('German').waitFor()
    await row('Model de-model').getByText('Facts about Model de-model').click()
    await row('Model de-model').getByText('Made for a test.').waitFor()
    await expectClean()

    const encoder = publisher.files.get('de-model/encoder.onnx')?.content ?? Buffer.alloc(0)
    publisher.files.set('de-model/encoder.onnx', {
      content: encoder,
      fault: { stallAfter: 10_240, times: 1 },
    })
    await button('Install Model de-model').click()
    await row('Model de-model').getByText('Installing: 10 KB of 195.3 KB').waitFor()
    await expectClean()
    await button('Cancel the installation of Model de-model').click()
    await toast('Installation canceled').waitFor()
    publisher.cut()

    publisher.files.set('de-model/encoder.onnx', { content: Buffer.from('other') })
    await button('Install Model de-model').click()
    await row('Model de-model').getByText('has 5 bytes instead of 20000').waitFor()
    await expectClean()
    publisher.files.set('de-model/encoder.onnx', { content: encoder })
    await button('Try again to install Model de-model').click()
    await row('Model de-model').getByText('Installed', { exact: true }).waitFor()

    await button('Remove Model de-model').click()
    const question = page.getByRole('alertdialog', { name: 'Remove Model de-model?' })
    await question.getByRole('button', { name: 'Remove', exact: true }).click()
    await toast('Model removed').waitFor()
    await row('Model de-model').getByText('Not installed').waitFor()
  })

  test('a model is installed from the address of its manifest, and errors are in the form', async (t) => {
    const spawned = await spawnCloud(t)
    await page.context().close()
    ;({ page, problems } = await openConsole(browser, spawned.url))
    await createAdministrator(page, 'ada@example.org')
    await openList()
    const manifest = publishModel(publisher, 'own', 'stated', 'fr')
    publisher.files.set('own/model.json', { content: Buffer.from(JSON.stringify(manifest)) })
    const field = page.getByLabel('Address of the manifest')
    await field.fill(`${publisher.url}nothing.json`)
    await button('Install').click()
    await page.getByText('nothing.json answers with the status 404').waitFor()
    // The browser reports the status, too.
    problems.splice(0)
    await field.fill(`${publisher.url}own/model.json`)
    await button('Install').click()
    await row('Model own').getByText('Installed', { exact: true }).waitFor()
    await row('Model own').getByText('French').waitFor()
    await expectClean()
  })
})
