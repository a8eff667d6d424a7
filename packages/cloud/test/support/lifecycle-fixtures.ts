import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import type { App, AppRegistration } from '../../src/features/catalogue/index.ts'
import { type AppServer, startAppServer } from './app-server.ts'
import { type CatalogueRig, dataOf, type Fields, type SignedInUser } from './catalogue-rig.ts'
import type { TestResponse } from './test-cloud.ts'

/** A registered app with its server. */
export interface RunningApp {
  readonly app: App
  readonly server: AppServer
}

/** Registers a published app and starts its server. */
export async function serveApp(
  t: TestContext,
  { register, keyOf }: CatalogueRig,
  packageName: string,
  over: Partial<AppRegistration> = {},
): Promise<RunningApp> {
  const server = await startAppServer(t, packageName)
  const app = await register(packageName, { publicUrl: server.url, ...over })
  server.apiKey = await keyOf(app)
  return { app, server }
}

/** Connects simulated glasses for a user and waits until the cloud knows their model; the test disconnects them. */
export async function connectGlasses(
  t: TestContext,
  { cloud }: CatalogueRig,
  { token }: SignedInUser,
  model: string | null = 'Simulated Glasses',
): Promise<Glasses> {
  const glasses = new Glasses({ url: cloud.url, token, model, reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  await flushMessages(glasses)
  return glasses
}

/** Waits until the cloud has processed all messages that the glasses sent so far. */
export async function flushMessages(glasses: Glasses): Promise<void> {
  glasses.send({ type: 'ping' })
  await glasses.waitForMessage('pong')
}

/** Asserts a response to start or stop and returns its app state. */
export function stateIn(
  response: TestResponse<Fields>,
  status: 'started' | 'stopped',
  packageName: string,
): Fields {
  const { appState, ...rest } = dataOf(response)
  assert.deepEqual(rest, { status, packageName })
  return appState as Fields
}
