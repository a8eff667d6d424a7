import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { Glasses } from '@glasses-cloud/glasses'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { type AppServer, startAppServer } from '../support/app-server.ts'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { findBarriers, openConsole, SET_UP_PAGE } from '../support/console-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const email = 'ada@example.org'
const password = 'a long password'

/** Tab stops of a page that are tried before a control counts as unreachable. */
const MAX_TAB_STOPS = 60

describe('store and gallery in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let token: string
  let notes: AppServer
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    ;[cloud, browser] = await Promise.all([startCloud(scope), startBrowser(scope)])
    ;({ context, page, problems } = await openConsole(browser, cloud.url))
    notes = await startAppServer(scope, 'com.example.notes')
    const { apiKey } = await cloud.registerApp({
      packageName: 'com.example.notes',
      name: 'Notes',
      publicUrl: notes.url,
      permissions: [{ type: 'MICROPHONE', description: 'to hear your notes' }],
    })
    notes.apiKey = apiKey
    await cloud.registerApp({
      packageName: 'com.example.lens',
      name: 'Snapshots',
      permissions: [{ type: 'CAMERA', description: 'to take photos' }],
      hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }],
    })
  })

  /** Expects the page to be accessible, also on a phone, and to have caused no error. */
  async function expectClean() {
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    assert.deepEqual(problems.splice(0), [])
  }

  const card = (name: string) => page.getByRole('article', { name })

  /** Moves the focus with the Tab key alone. */
  async function tabTo(target: Locator) {
    await target.waitFor()
    for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`${target} cannot be reached with the Tab key`)
  }

  test('CON-110 CON-18: the administrator of a new cloud is offered the first steps, also later', async () => {
    await page.goto(SET_UP_PAGE)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
    token = await cloud.token(email)
    await page.getByRole('img', { name: 'QR code with the address' }).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Address of this cloud' }).inputValue(), cloud.url)
    await page.getByText('Your phone cannot reach this address').waitFor()
    await expectClean()
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Make an app' }).click()
    await page.waitForURL('**/developer/**')
    await page.getByRole('button', { name: `Menu of ${email}` }).click()
    await page.getByRole('menuitem', { name: 'First steps' }).click()
    await main.getByRole('link', { name: 'Wear simulated glasses' }).click()
    await page.waitForURL('**/glasses')
    await page.goto('/welcome')
    await main.getByRole('link', { name: 'Open the store' }).click()
    await card('Notes').waitFor()
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-111 CON-18: filters by hardware and permission, also in the address', async () => {
    await page.goto('/store')
    await card('Snapshots').waitFor()
    await page.getByRole('button', { name: 'Needs' }).click()
    await page.getByRole('option', { name: 'Camera' }).click()
    await card('Notes').waitFor({ state: 'detached' })
    await card('Snapshots').waitFor()
    await page.getByRole('button', { name: 'Uses' }).click()
    await page.getByRole('option', { name: 'Microphone' }).click()
    await page.getByRole('heading', { name: 'No app matches' }).waitFor()
    await expectClean()
    await page.goto('/store?permission=MICROPHONE')
    await card('Notes').waitFor()
    assert.equal(await card('Snapshots').count(), 0)
  })

  test('CON-112 CON-18: glasses, compatibility and running apps are shown as they change', async (t) => {
    await page.goto('/store')
    await page.getByText('No glasses are connected.').waitFor()
    const glasses = new Glasses({ url: cloud.url, token, model: 'Even Realities G1', reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await page.getByText('Even Realities G1 are connected. They have display, ').waitFor()
    await card('Snapshots').getByText('they have no camera').waitFor()
    await cloud.request('POST', '/api/apps/install/com.example.notes', { token })
    await card('Notes').getByText('Installed').waitFor()
    assert.equal((await cloud.request('POST', '/api/apps/com.example.notes/start', { token })).status, 200)
    await card('Notes').getByText('Running').waitFor()
    await expectClean()
    await card('Notes').getByRole('button', { name: 'Stop Notes' }).click()
    await card('Notes').getByText('Installed').waitFor()

    await page.goto('/store/com.example.lens')
    await page.getByText('Does not work with your Even Realities G1: they have no camera.').waitFor()
    await page.getByText('Missing on your glasses').waitFor()
    await expectClean()
    await glasses.disconnect()
    await page.getByText('Connect your glasses to see').waitFor()
  })

  test('CON-113: why a start failed is said in words, by its stage', async (t) => {
    const glasses = new Glasses({ url: cloud.url, token, model: 'Even Realities G1', reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await page.goto('/store')
    await page.getByText('Even Realities G1 are connected').waitFor()
    if (await card('Notes').getByRole('button', { name: 'Install Notes' }).isVisible())
      await card('Notes').getByRole('button', { name: 'Install Notes' }).click()
    notes.behavior = 400
    t.after(() => {
      notes.behavior = 'connect'
    })
    await card('Notes').getByRole('button', { name: 'Start Notes' }).click()
    const alert = card('Notes').getByRole('alert')
    await alert.getByText('The server of the app did not accept the start').waitFor()
    await card('Snapshots').getByRole('button', { name: 'Install Snapshots' }).click()
    await card('Snapshots').getByRole('button', { name: 'Start Snapshots' }).click()
    await card('Snapshots').getByRole('alert').waitFor()
    // The browser itself reports the status.
    problems.splice(0)
    await cloud.request('POST', '/api/apps/uninstall/com.example.lens', { token })
    await cloud.request('POST', '/api/apps/uninstall/com.example.notes', { token })
  })

  test('CON-114: everything works with the keyboard alone: signing in, installing, starting, and dialogs', async (t) => {
    const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    // An open page would report that it is no longer signed in.
    await page.goto('about:blank')
    await context.clearCookies()
    await page.goto('/store')
    await tabTo(page.getByLabel('E-mail address'))
    await page.keyboard.type(email)
    await tabTo(page.getByLabel('Password'))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await card('Notes').waitFor()

    const install = card('Notes').getByRole('button', { name: 'Install Notes' })
    await tabTo(install)
    await page.keyboard.press('Enter')
    // The button that was pressed keeps the focus.
    await card('Notes').getByRole('button', { name: 'Start Notes' }).waitFor()
    await tabTo(card('Notes').getByRole('button', { name: 'Start Notes' }))
    await page.keyboard.press('Enter')
    await card('Notes').getByText('Running').waitFor()

    const link = card('Notes').getByRole('link', { name: 'Notes' })
    for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press('Shift+Tab')
    await tabTo(link)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor()
    const uninstall = page.getByRole('button', { name: 'Uninstall', exact: true })
    await tabTo(uninstall)
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog', { name: 'Uninstall Notes?' })
    await question.waitFor()
    for (let stops = 0; stops < 4; stops += 1) {
      await page.keyboard.press('Tab')
      assert.ok(
        await question.evaluate((dialog) => dialog.contains(dialog.ownerDocument.activeElement)),
        'the focus stays in the dialog',
      )
    }
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    // The focus returns to the button: until then it is on the page, whose text contains the word as well.
    await page.locator('button:focus', { hasText: 'Uninstall' }).waitFor()
    await page.keyboard.press('Enter')
    await tabTo(question.getByRole('button', { name: 'Uninstall' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Install Notes' }).waitFor()
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-117 CON-18: new permissions are asked for in the store and on the page of the app', async () => {
    const packageName = 'com.example.diary'
    const app = { packageName, name: 'Diary', developerId: email }
    await cloud.registerApp({ ...app, permissions: [{ type: 'CAMERA' }] })
    const installed = await cloud.request('POST', `/api/apps/install/${packageName}`, { token })
    assert.equal(installed.status, 200)
    const permissions = [
      { type: 'CAMERA' as const },
      { type: 'CALENDAR' as const, description: 'to fill it' },
    ]
    await cloud.registerApp({ ...app, permissions })
    const question = page.getByText('Diary asks for more')
    for (const path of ['/store', `/store/${packageName}`]) {
      await page.goto(path)
      await question.waitFor()
      await page.getByText('Reads the events of your calendar. “to fill it”').waitFor()
    }
    await expectClean()
    await page.getByRole('button', { name: 'Accept for Diary' }).click()
    await question.waitFor({ state: 'detached' })
    const user = await cloud.operator.users.findByEmail(email)
    assert.ok(user)
    const found = await cloud.cloud.features.catalogue.catalogue.findFor(user, packageName)
    assert.deepEqual(found?.permissions, permissions)
    await expectClean()
  })

  test('CON-115 CON-18: photos and a recording, one and many', async () => {
    const { gallery } = cloud.cloud.features.gallery
    const user = await cloud.operator.users.findByEmail(email)
    assert.ok(user)
    for (const requestId of ['one', 'two', 'three']) {
      const png = makePng()
      const photo = await gallery.receive(user.id, chunk(png), { maxBytes: png.length })
      assert.ok(typeof photo === 'object')
      await gallery.add(photo, { requestId, origin: 'glasses', packageName: null })
    }
    assert.ok(await gallery.addRecording(user.id, 'recording', chunk(Buffer.from('video'))))
    await page.goto('/gallery')
    const grid = page.getByRole('grid', { name: 'Photos' })
    await grid.getByRole('row').nth(3).waitFor()
    await grid.getByText('Recording of').waitFor()
    assert.equal(await grid.locator('img[loading="lazy"]').count(), 3)
    await expectClean()

    await grid.getByRole('row', { name: 'Photo of' }).first().click()
    const view = page.getByRole('dialog', { name: 'Photo of' })
    await view.getByRole('img').waitFor()
    await expectClean()
    const download = page.waitForEvent('download')
    await view.getByRole('link', { name: 'Download' }).click()
    assert.match((await download).suggestedFilename(), /\.png$/)
    await view.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('alertdialog', { name: 'Delete this photo?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByText('3 in total').waitFor()

    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('3 of 3 selected').waitFor()
    const first = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    await first
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete 3 photos?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No photos yet' }).waitFor()
    assert.deepEqual(await gallery.list(user.id), [])
    assert.deepEqual(problems.splice(0), [])
  })
})

async function* chunk(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** Makes a picture of one gray pixel (PNG, 8 bits per pixel). */
function makePng(): Buffer {
  const part = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(content), 4)
    return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
  }
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.from([0, 128]))),
    part('IEND', Buffer.alloc(0)),
  ])
}
