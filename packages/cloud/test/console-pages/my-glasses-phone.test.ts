import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { browserMissing } from '../support/browser.ts'
import { setSwitch, waitUntilTrue } from '../support/console-rig.ts'
import { openGlassesConsole, WEARER } from '../support/glasses-console.ts'
import { suiteScope } from '../support/scope.ts'
import type { TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const packageName = 'dev.example.places'
const VIENNA = { latitude: 48.2, longitude: 16.4, accuracy: 12 }

/** Counts how often the page asks where it is. */
const COUNT_LOCATING = `
  globalThis.locating = 0
  const { geolocation } = navigator
  const find = geolocation.getCurrentPosition.bind(geolocation)
  geolocation.getCurrentPosition = (...parameters) => {
    locating += 1
    return find(...parameters)
  }`

describe('what the page of real glasses does as a phone', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    const options = { model: 'g1-model.ts', script: COUNT_LOCATING }
    ;({ cloud, context, page, problems } = await openGlassesConsole(scope, options))
    await putOn()
  })

  async function putOn(): Promise<void> {
    await page.goto('/glasses/mine')
    await page.getByRole('button', { name: 'Choose the first arm' }).click()
    await page.getByRole('button', { name: 'Choose the other arm' }).click()
    await page.getByText('Connected', { exact: true }).waitFor()
  }

  const bothAre = (expected: string) =>
    waitUntilTrue(page, `g1Model.model.arms.every(({ brightness }) => ${expected})`)

  /** Waits until the settings of the phone are stored. */
  async function waitForSettings(expected: object): Promise<void> {
    const token = await cloud.token(WEARER)
    await waitFor(JSON.stringify(expected), async () => {
      const { body } = await cloud.request<{ data: { settings: Record<string, unknown> } }>(
        'GET',
        '/api/client/user/settings',
        { token },
      )
      return Object.entries(expected).every(([name, value]) => body.data.settings[name] === value)
    })
  }

  test('the brightness is stored, and sent to the glasses at the next connection', async () => {
    await bothAre('brightness === undefined')
    const slider = page.getByRole('slider', { name: 'Brightness of the lens' })
    await slider.press('End')
    await bothAre('brightness?.level === 0x29')
    await waitForSettings({ brightness: 100, auto_brightness: false })
    await putOn()
    await bothAre('brightness?.level === 0x29 && !brightness.isAutomatic')
    assert.equal(await slider.inputValue(), '100')

    await setSwitch(page, 'Let the glasses adjust it', true)
    await waitForSettings({ brightness: 100, auto_brightness: true })
    await putOn()
    await bothAre('brightness?.isAutomatic === true')
    assert.deepEqual(problems, [])
  })

  test('CON-249: the browser is asked where it is when an app asks or follows, and not before', async (t) => {
    const server = await startAppServer(t, packageName)
    server.behavior = 'never-connect'
    const permissions = [{ type: 'LOCATION' as const }]
    const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url, permissions })
    const token = await cloud.token(WEARER)
    await waitFor('the installation', async () => {
      const { status } = await cloud.request('POST', `/api/apps/install/${packageName}`, { token })
      return status === 200
    })
    const starting = cloud.request('POST', `/api/apps/${packageName}/start`, { token })
    const { sessionId } = await server.called('session_request')
    const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
    app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
    await app.next('tpa_connection_ack')
    await starting
    assert.equal(await page.evaluate('locating'), 0)

    const common = { type: 'location_poll_request', packageName, sessionId, accuracy: 'realtime' }
    app.send({ ...common, correlationId: 'without' })
    await page.getByText('An app asks where you are. Allow this page').waitFor()
    assert.equal(await page.evaluate('locating'), 1)
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation(VIENNA)
    app.send({ ...common, correlationId: 'with' })
    const find = (matches: (data: Record<string, unknown>) => boolean) =>
      waitFor('the position', () =>
        app.frames
          .map(({ data }) => data as Record<string, unknown> | undefined)
          .find((data) => data && matches(data)),
      )
    const { lat, lng, accuracy } = await find(({ correlationId }) => correlationId === 'with')
    assert.deepEqual([lat, lng, accuracy], [48.2, 16.4, 12])

    const subscriptions = [{ stream: 'location_stream', rate: 'realtime' }]
    app.send({ type: 'subscription_update', packageName, sessionId, subscriptions })
    await context.setGeolocation({ ...VIENNA, latitude: 48.3 })
    await find((data) => data.lat === 48.3)
    await context.setGeolocation({ ...VIENNA, latitude: 48.4 })
    await find((data) => data.lat === 48.4)
    assert.deepEqual(problems, [])
  })
})
