import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { Glasses } from '@glasses-cloud/phone'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { type AppServer, startAppServer } from '../support/app-server.ts'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { findBarriers, openConsole, SET_UP_PAGE } from '../support/console-rig.ts'
import { galleryOf, upload } from '../support/photo-app.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const email = 'ada@example.org'
const password = 'a long password'

/** Tab stops of a page that are tried before a control counts as unreachable. */
const MAX_TAB_STOPS = 60

describe('store and gallery in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let token: string
  let notes: AppServer
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    ;[cloud, browser] = await Promise.all([spawnCloud(scope), startBrowser(scope)])
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
  async function expectClean({ mayFail = false } = {}) {
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    const caused = problems.splice(0)
    // The browser itself reports the status of a failed request.
    assert.deepEqual(mayFail ? caused.filter((text) => !text.includes('status of 500')) : caused, [])
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

  test('CON-18: the administrator of a new cloud is offered the first steps, also later', async () => {
    await page.goto(SET_UP_PAGE)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
    token = await cloud.token(email)
    await expectClean()
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Connect your glasses' }).click()
    await page.waitForURL('**/glasses/connect')
    await page.goBack()
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

  test('CON-18: filters by hardware and permission, also in the address', async () => {
    await page.goto('/store')
    await card('Snapshots').waitFor()
    await page.getByLabel('Needs').selectOption('Camera')
    await card('Notes').waitFor({ state: 'detached' })
    await card('Snapshots').waitFor()
    await page.getByLabel('Uses').selectOption('Microphone')
    await page.getByRole('heading', { name: 'No app matches' }).waitFor()
    await expectClean()
    await page.goto('/store?permission=MICROPHONE')
    await card('Notes').waitFor()
    assert.equal(await card('Snapshots').count(), 0)
  })

  test('CON-18: glasses, compatibility and running apps are shown as they change', async (t) => {
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

  test('CON-12: no button is shown before it is known which apps are installed', async (t) => {
    const answer = Promise.withResolvers<void>()
    const isInstalled = (url: URL) => url.pathname === '/api/apps/installed'
    await page.route(isInstalled, async (route) => {
      await answer.promise
      await route.continue()
    })
    t.after(() => page.unroute(isInstalled))
    for (const [path, loads] of [
      ['/store', '/api/apps'],
      ['/store/com.example.notes', '/api/apps/com.example.notes'],
    ]) {
      const loaded = page.waitForResponse((response) => new URL(response.url()).pathname === loads)
      await page.goto(String(path))
      await (await loaded).finished()
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
      assert.equal(await page.getByRole('button', { name: /^Install/ }).count(), 0, path)
    }
    answer.resolve()
    await page.getByRole('button', { name: /^(Install|Start) Notes$/ }).waitFor()
  })

  test('why a start failed is said in words, by its stage', async (t) => {
    await cloud.request('POST', '/api/apps/install/com.example.notes', { token })
    const glasses = new Glasses({ url: cloud.url, token, model: 'Even Realities G1', reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await page.goto('/store')
    await page.getByText('Even Realities G1 are connected').waitFor()
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

  test('CON-18: a start that stops another app is taken back; developers see why one failed', async (t) => {
    const clock = await startAppServer(scope, 'com.example.clock')
    const { apiKey } = await cloud.registerApp({
      packageName: 'com.example.clock',
      name: 'Clock',
      publicUrl: clock.url,
      developerId: email,
    })
    clock.apiKey = apiKey
    const names = ['com.example.notes', 'com.example.clock']
    for (const name of names) await cloud.request('POST', `/api/apps/install/${name}`, { token })
    t.after(async () => {
      for (const name of names) await cloud.request('POST', `/api/apps/uninstall/${name}`, { token })
    })
    const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await page.goto('/store')
    await card('Notes').getByRole('button', { name: 'Start Notes' }).click()
    await card('Notes').getByText('Running').waitFor()
    const start = card('Clock').getByRole('button', { name: 'Start Clock', description: 'Stops Notes' })
    await start.click()
    await card('Clock').getByText('Running').waitFor()
    const undo = page
      .getByRole('alertdialog')
      .filter({ hasText: 'Notes was stopped' })
      .getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await expectClean()
    await undo.click()
    await card('Notes').getByText('Running').waitFor()
    await card('Clock').getByText('Installed').waitFor()

    clock.behavior = 500
    await start.click()
    const alert = card('Clock').getByRole('alert')
    await alert.getByText('The app server answered with status 500.').waitFor()
    await alert.getByText('Call of the app server').waitFor()
    // The failed start has stopped the other app all the same.
    await undo.waitFor()
    await expectClean({ mayFail: true })
    await alert.getByRole('link', { name: 'Test the connection' }).click()
    await page.waitForURL('**/developer/apps/com.example.clock/connection')
    await page.goBack()
    await start.or(card('Clock').getByRole('button', { name: 'Start Clock' })).click()
    await alert.getByRole('link', { name: 'Open the log' }).click()
    await page.waitForURL('**/developer/apps/com.example.clock/log?entry=*')
    // The second of two failures: the newest entry of a failed start.
    const entry = page.locator('tr[aria-current="true"]')
    await entry.getByText('Start failed').waitFor()
    await entry.getByText('REFUSED_500').waitFor()
    assert.equal(await page.getByText('Start failed').count(), 2)
    const [box, first] = [
      await entry.boundingBox(),
      await page.getByText('Start failed').first().boundingBox(),
    ]
    assert.ok(box && first && first.y > box.y && first.y < box.y + box.height)
    assert.ok(box.y > 0 && box.y + box.height < (page.viewportSize()?.height ?? 0))
    problems.splice(0)
  })

  test('of 2,000 apps those in view are drawn, and Tab, search and the back button find the others', async (t) => {
    await page.goto('/store')
    const { body } = await cloud.request<{ data: { name: string }[] }>('GET', '/api/apps', { token })
    const [app] = body.data
    const data = Array.from({ length: 2_000 }, (_, index) => {
      const number = String(index).padStart(4, '0')
      return { ...app, packageName: `com.example.app${number}`, name: `App ${number}`, featured: false }
    })
    const isList = (url: URL) => url.pathname === '/api/apps'
    await page.route(isList, (route) => route.fulfill({ json: { success: true, data } }))
    t.after(() => page.unroute(isList))
    await page.reload()
    await page.getByText('2,000 apps').waitFor()
    await card('App 0000').waitFor()
    const elements = () => page.locator('main *').count()
    assert.ok((await elements()) < 500, `${await elements()} elements`)
    const item = page.getByRole('listitem').filter({ has: card('App 0001') })
    assert.deepEqual(
      [await item.getAttribute('aria-posinset'), await item.getAttribute('aria-setsize')],
      ['2', '2000'],
    )
    // Tab leads beyond what was drawn at first.
    const link = (name: string) => card(name).getByRole('link')
    await link('App 0000').focus()
    for (let stops = 0; stops < 60; stops += 1) await page.keyboard.press('Tab')
    await page.locator('a:focus', { hasText: 'App 0030' }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await card('App 1999').waitFor()
    assert.equal(await card('App 0100').count(), 0)
    // The page scrolls, and what has the focus stays.
    await page.locator('a:focus', { hasText: 'App 0030' }).waitFor({ state: 'attached' })
    assert.ok((await elements()) < 500, `${await elements()} elements`)
    const before = await page.evaluate<number>('scrollY')
    await link('App 1999').click()
    await page.waitForURL('**/store/com.example.app1999')
    await page.goBack()
    await card('App 1999').waitFor()
    const after = await page.evaluate<number>('scrollY')
    assert.ok(Math.abs(after - before) < 300, `${before} and ${after}`)
    await page.getByLabel('Search apps').fill('app 0777')
    await page.getByText('1 of 2,000 apps').waitFor()
    await card('App 0777').waitFor()
    await page.waitForURL('**/store?q=app*0777')
    problems.splice(0)
  })

  test('everything works with the keyboard alone: signing in, installing, starting, and dialogs', async (t) => {
    const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    // An open page would report that it is no longer signed in.
    await page.goto('about:blank')
    // Images of the test before that have arrived meanwhile: its apps have none.
    problems.splice(0)
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

  test('CON-18: new permissions are asked for in the store and on the page of the app', async () => {
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
    // The response lists all permissions that the app has, not only the one that was accepted before.
    const { body } = await cloud.request<{ data: { permissions: unknown[]; newPermissions: unknown[] } }>(
      'POST',
      `/api/apps/${packageName}/permissions/accept`,
      { token, body: { permissions: ['CAMERA'] } },
    )
    assert.deepEqual([body.data.permissions, body.data.newPermissions], [permissions, []])
    await expectClean()
  })

  test('CON-18: photos and a recording, in the grid and on the whole screen', async () => {
    for (const requestId of ['one', 'two', 'three']) {
      const { status } = await upload(cloud, token, [
        ['requestId', requestId],
        ['photo', makePng()],
      ])
      assert.equal(status, 200)
    }
    await uploadVideo()
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto('/gallery')
    const grid = page.getByRole('grid', { name: 'Photos' })
    await grid.getByRole('row').nth(3).waitFor()
    await grid.getByText('Recording of').waitFor()
    assert.equal(await grid.locator('img[loading="lazy"]').count(), 3)
    await expectClean()
    assert.ok(loaded.some((path) => path.includes('/thumbnails/')))
    assert.ok(!loaded.some((path) => path.endsWith('/file')), 'no photo in full')

    await grid.getByRole('row', { name: 'Photo of' }).first().click()
    const view = page.getByRole('dialog', { name: 'Photo of' })
    const place = (text: string) => view.getByText(text, { exact: true }).waitFor()
    await place('2 of 4')
    await page.waitForURL('**/gallery?photo=*')
    const [, second, third] = await galleryOf(cloud, token, '?type=all')
    await waitFor('the next photo is loaded', () =>
      loaded.includes(`/api/gallery/${third?._id}/thumbnails/1600`),
    )
    await expectClean()
    await page.keyboard.press('ArrowRight')
    await place('3 of 4')
    await view.getByRole('button', { name: 'Next' }).click()
    await place('4 of 4')
    await page.keyboard.press('ArrowRight')
    await swipe('right')
    await place('3 of 4')
    await swipe('left')
    await place('4 of 4')
    await page.reload()
    await place('4 of 4')
    await page.goBack()
    await view.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '')
    await grid.getByRole('row', { name: 'Photo of' }).first().click()
    await place('2 of 4')
    await page.keyboard.press('Escape')
    await view.waitFor({ state: 'detached' })

    await page.goto(`/gallery?photo=${second?._id}`)
    const download = page.waitForEvent('download')
    await view.getByRole('link', { name: 'Download' }).click()
    assert.match((await download).suggestedFilename(), /\.png$/)
    await view.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('alertdialog', { name: 'Delete this photo?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await place('2 of 3')
    await page.waitForURL(`**/gallery?photo=${third?._id}`)
    await view.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('3 of 3 selected').waitFor()
    const first = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    await first
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete 3 photos?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No photos yet' }).waitFor()
    await expectClean()
    assert.deepEqual(await galleryOf(cloud, token, '?type=all'), [])
  })

  test('of 2,000 photos those in view are drawn, in boxes of one size', async (t) => {
    const photos = Array.from({ length: 2_000 }, (_, index) => ({
      _id: `photo${index}`,
      filename: `photo${index}.jpg`,
      uploadedAt: new Date(index * 60_000).toISOString(),
      size: 1_000,
      mimeType: 'image/jpeg',
      metadata: { requestId: `r${index}`, origin: 'glasses' },
    }))
    const isGallery = (url: URL) => url.pathname.startsWith('/api/gallery')
    await page.route(isGallery, (route) =>
      new URL(route.request().url()).pathname === '/api/gallery'
        ? route.fulfill({ json: { success: true, photos } })
        : route.fulfill({ body: makePng(), contentType: 'image/png' }),
    )
    t.after(() => page.unroute(isGallery))
    await page.goto('/gallery')
    const rows = page.getByRole('grid', { name: 'Photos' }).getByRole('row')
    await rows.first().waitFor()
    assert.ok((await page.locator('main *').count()) < 900)
    const boxes = await Promise.all([0, 1, 5].map((index) => rows.nth(index).boundingBox()))
    assert.equal(new Set(boxes.map((box) => `${box?.width} ${box?.height}`)).size, 1)
    await rows.first().focus()
    await page.keyboard.press('End')
    await page.locator('[role="row"]:focus[aria-rowindex="2000"]').waitFor()
    assert.ok((await page.locator('main *').count()) < 900)
    problems.splice(0)
  })

  /** Uploads a video as glasses do that recorded it. */
  async function uploadVideo() {
    const form = new FormData()
    form.append('video', new Blob(['....ftyp', 'video']), 'video.mp4')
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${cloud.url}/api/videos/upload`, { method: 'POST', headers, body: form })
    assert.equal(response.status, 200)
  }

  /** Swipes over the open photo with a finger. */
  async function swipe(direction: 'left' | 'right') {
    const picture = page.getByRole('dialog').getByRole('img')
    await picture.dispatchEvent('touchstart', touchAt(200))
    await picture.dispatchEvent('touchend', { ...touchAt(direction === 'left' ? 110 : 290), touches: [] })
  }
})

/** The properties of an event of one finger. */
function touchAt(clientX: number) {
  const touch = { identifier: 1, clientX, clientY: 200 }
  return { touches: [touch], changedTouches: [touch], targetTouches: [touch] }
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
