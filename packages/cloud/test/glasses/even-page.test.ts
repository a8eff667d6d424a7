import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhoneApi, systemClock } from '@glasses-cloud/phone'
import { FakeEvenBridge } from '@glasses-cloud/phone/test/fake-even-bridge'
import type { BrowserContext } from 'playwright-core'
import { SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console-rig.ts'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const packageName = 'dev.example.places'
const email = 'ada@example.org'

test('EHB-40: the page in an ordinary browser', { skip: browserMissing }, async (t) => {
  const [cloud, browser] = await Promise.all([startCloud(t), startBrowser(t)])
  const { page, problems } = await openConsole(browser, cloud.url)
  const response = await page.goto('/glasses/even')
  assert.match(
    response?.headers()['content-security-policy'] ?? '',
    /^default-src 'none'; script-src 'self' 'nonce-[^']+'; /,
  )
  await page.getByText('This page works in the Even app only.').waitFor()
  await page.getByText('the console shows it under Connect your glasses').waitFor()
  assert.deepEqual(problems, [])
})

/** Makes the browser a model of the Even app: it answers the calls of the maker's SDK. */
async function installEvenApp(context: BrowserContext): Promise<FakeEvenBridge> {
  const app = new FakeEvenBridge(systemClock)
  const answers: Record<string, (data: never) => Promise<unknown>> = {
    getGlassesInfo: () => app.getDeviceInfo(),
    getAppLocation: () => app.getAppLocation(),
    createStartUpPageContainer: (page) => app.createStartUpPageContainer(page),
    rebuildPageContainer: (page) => app.rebuildPageContainer(page),
    textContainerUpgrade: (update) => app.textContainerUpgrade(update),
    audioControl: ({ isOpen }: { isOpen: boolean }) => app.audioControl(isOpen),
    getLocalStorage: ({ key }: { key: string }) => app.getLocalStorage(key),
    setLocalStorage: ({ key, value }: { key: string; value: string }) => app.setLocalStorage(key, value),
  }
  await context.exposeFunction('answerSdk', (_name: string, text: string) => {
    const { method, data } = JSON.parse(text)
    return answers[method]?.(data as never)
  })
  await context.addInitScript('globalThis.flutter_inappwebview = { callHandler: answerSdk }')
  return app
}

test('EHB-31: the next visit, and an app that asks for the location', {
  skip: browserMissing,
}, async (t) => {
  const [cloud, browser] = await Promise.all([startCloud(t), startBrowser(t)])
  const { page, context, problems } = await openConsole(browser, cloud.url)
  const evenApp = await installEvenApp(context)
  // The login of an earlier visit.
  const token = await cloud.token(email)
  const login = { coreToken: token, refreshToken: 'not needed', renewAt: Date.now() + 3_600_000 }
  evenApp.stored.set(`glasses-cloud ${cloud.url}`, JSON.stringify(login))
  await page.goto('/glasses/even')
  const server = await startAppServer(t, packageName)
  server.behavior = 'never-connect'
  const { apiKey } = await cloud.registerApp({
    packageName,
    publicUrl: server.url,
    permissions: [{ type: 'LOCATION', description: 'To know the place' }],
  })
  const api = new PhoneApi({ url: cloud.url, token })
  await api.install(packageName)
  await page.getByText('You are wearing your glasses.').waitFor()
  const starting = api.startApp(packageName)
  const { sessionId } = await server.called('session_request')
  const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
  app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
  await app.next('tpa_connection_ack')
  await starting
  evenApp.location = { latitude: 48.2, longitude: 16.4, accuracy: 12 }
  const correlationId = 'poll_1_a'
  app.send({ type: 'location_poll_request', packageName, sessionId, correlationId, accuracy: 'realtime' })
  const position = await waitFor('the position', () =>
    app.frames
      .map(({ data }) => data as Record<string, unknown> | undefined)
      .find((data) => data?.correlationId === correlationId),
  )
  assert.deepEqual([position.lat, position.lng, position.accuracy], [48.2, 16.4, 12])
  assert.deepEqual(problems, [])
})
