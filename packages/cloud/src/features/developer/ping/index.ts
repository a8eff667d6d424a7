import type { AppPing, PingHop } from '@glasses-cloud/contract'
import type { ApiKeyStore, User } from '../../../identity/index.ts'
import type { WebhookClient, WebhookResponse, WebhookTarget } from '../../../webhooks/index.ts'
import { type App, webhookTarget } from '../../catalogue/index.ts'
import { failed, type HopResult, passed, skipped, testAddress, testTls } from './connection-hops.ts'
import { type StartTest, type StartTestDeps, testStart } from './start-hops.ts'
import { explainWebhook, sendTestCall, testSignature } from './webhook-hops.ts'

export interface PingDeps extends StartTestDeps {
  readonly apiKeyStore: ApiKeyStore
  readonly webhooks: WebhookClient
  readonly allowPrivateNetworks: boolean
}

/** Tests the connection between the cloud and apps, hop by hop. */
export class Pings {
  readonly #deps: PingDeps
  /** Tests in progress, which simultaneous requests share; bounded by the requests in progress. */
  readonly #running = new Map<string, Promise<AppPing>>()

  constructor(deps: PingDeps) {
    this.#deps = deps
  }

  /** Tests an app that the user owns. */
  ping(user: Pick<User, 'id'>, app: App): Promise<AppPing> {
    const key = `${user.id} ${app.id}`
    const running = this.#running.get(key)
    if (running) return running
    const ping = this.#walk(user, app).finally(() => this.#running.delete(key))
    this.#running.set(key, ping)
    return ping
  }

  async #walk(user: Pick<User, 'id'>, app: App): Promise<AppPing> {
    const { webhooks, allowPrivateNetworks, apiKeyStore } = this.#deps
    const target = await webhookTarget(apiKeyStore, app)
    const call = { webhooks, app, target }
    // Hops after a failed one are not tested, so that later hops may rely on earlier ones.
    const url = () => new URL(target.publicUrl)
    let signed: WebhookResponse
    let start: StartTest
    return walk([
      ['name', async () => testName(app, target, (await apiKeyStore.list(app.id)).length)],
      ['address', () => testAddress(url(), allowPrivateNetworks)],
      ['tls', () => testTls(url(), allowPrivateNetworks)],
      [
        'webhook',
        async () => {
          signed = await sendTestCall(call)
          return explainWebhook(signed, url())
        },
      ],
      ['signature', () => testSignature(call, signed)],
      [
        'socket',
        async () => {
          start = await testStart(this.#deps, user, app)
          return start.socket
        },
      ],
      ['key', async () => start.key],
    ])
  }
}

/** Tests one hop after another until one fails. */
async function walk(
  tests: readonly (readonly [PingHop['hop'], () => Promise<HopResult>])[],
): Promise<AppPing> {
  const hops: PingHop[] = []
  let failedHop: PingHop['hop'] | undefined
  for (const [hop, test] of tests) {
    const startedAt = performance.now()
    const result = failedHop === undefined ? await test() : skipped(`Not tested, because ${failedHop} failed`)
    hops.push({ hop, ...result, durationMs: Math.round(performance.now() - startedAt) })
    if (result.status === 'failed') failedHop = hop
  }
  return { ok: failedHop === undefined, ...(failedHop !== undefined && { failedHop }), hops }
}

/** @param keys number of API keys, those that cannot sign included */
function testName({ packageName }: App, { publicUrl, signingKeys }: WebhookTarget, keys: number): HopResult {
  if (URL.parse(publicUrl) === null)
    return failed(
      `${packageName} has no valid address of its server (publicUrl)`,
      'Set publicUrl to the base URL of the app server',
    )
  if (signingKeys.length === 0 && keys > 0)
    return failed(
      `The cloud cannot sign with an API key of ${packageName}: AUTH_SECRET has changed since they were created`,
      'Create another key, and start the app server with it',
    )
  if (signingKeys.length === 0)
    return failed(
      `${packageName} has no API key`,
      'Create one in the console, or with "app keys PACKAGE --rotate"',
    )
  return passed(`${packageName} is registered with the address ${publicUrl}`)
}
