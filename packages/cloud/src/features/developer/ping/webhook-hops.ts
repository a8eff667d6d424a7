import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { WebhookClient, WebhookResponse, WebhookTarget } from '../../../webhooks/index.ts'
import type { App } from '../../catalogue/index.ts'
import { failed, HOP_TIMEOUT_MS, type HopResult, info, passed, unreachable } from './connection-hops.ts'

/** Who calls which app server. */
export interface TestCall {
  readonly webhooks: WebhookClient
  readonly app: Pick<App, 'packageName'>
  readonly target: WebhookTarget
}

/**
 * Sends the test call. Its type is unknown to the app SDK, which responds with 400 without running code of the app, and
 * its user and session do not exist, so that it does not affect anybody.
 */
export function sendTestCall({ webhooks, app, target }: TestCall): Promise<WebhookResponse> {
  const id = randomBytes(12).toString('hex')
  return webhooks.post(
    target,
    '/webhook',
    {
      type: 'ping',
      sessionId: `ping-${id}-${app.packageName}`,
      userId: 'ping@glasses-cloud.invalid',
    },
    { timeoutMs: HOP_TIMEOUT_MS },
  )
}

/** Explains the reply of a webhook to a signed test call. */
export function explainWebhook(reply: WebhookResponse, url: URL): HopResult {
  const { status } = reply
  if (status === undefined) return unreachable(reply.ok ? 'NETWORK_ERROR' : reply.code, url)
  const responded = `The webhook responded with status ${status}`
  if (reply.ok) return passed(responded)
  if (status === 400 && isUnknownType(reply.body))
    return passed(
      `The webhook responded. It declined the test call, because its type is unknown to the app server, as it should (status ${status})`,
    )
  if (status === 400 || status === 422)
    return info(
      `${responded}: the app server declined the test call, without saying that its type is unknown`,
      'Put on glasses, so that the socket hop starts the app. If that fails, look for the error in the log of the app server',
    )
  if (status === 401 || status === 403)
    return failed(
      `${responded}: it rejected the signature of the cloud`,
      'Start the app server with a live API key of this app, and let it verify the unchanged bytes of the body',
    )
  if (status === 404 || status === 405)
    return failed(
      `${responded}: there is no webhook at the address of the app server (publicUrl)`,
      'Set the address of the app server (publicUrl) to its base URL, without /webhook, and check that no other server responds there',
    )
  if (status >= 300 && status < 400)
    return failed(
      `${responded}, a redirect, which the cloud does not follow`,
      'Set the address of the app server (publicUrl) to the one that the redirect leads to',
    )
  if (status === 502 || status === 503 || status === 504)
    return failed(
      `${responded}: a proxy responds, but not the app server`,
      'Start the app server, or correct its address in the proxy',
    )
  if (status === 429)
    return failed(
      `${responded}: too many calls`,
      'Raise the limit of the app server, or of the proxy in front of it, for calls of the cloud',
    )
  return failed(
    status >= 500
      ? `${responded}: the app server failed`
      : `${responded}: the app server or a proxy refused the call`,
    'Look for the error in the log of the app server',
  )
}

/** Characters of a message in which its reason is looked for: an app server may respond with more, at quadratic costs. */
const MAX_REASON_LENGTH = 200

/** Whether a body says that the type of the call is unknown, as that of the app SDK does. */
export function isUnknownType(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const { message, error } = body as Readonly<Record<string, unknown>>
  return [message, error].some(
    (text) => typeof text === 'string' && /unknown\b.*\btype/i.test(text.slice(0, MAX_REASON_LENGTH)),
  )
}

/** Tests whether an app server rejects a wrong signature. `signed` is its reply to the correct one. */
export async function testSignature(call: TestCall, signed: WebhookResponse): Promise<HopResult> {
  const wrongKey = randomBytes(32).toString('hex')
  const reply = await sendTestCall({ ...call, target: { ...call.target, signingKeys: [wrongKey] } })
  const { status } = reply
  const verify =
    'Verify webhook-signature as described in docs/apps.md, so that nobody else can start sessions'
  if (status === undefined)
    return info('It cannot be told whether the app server verifies signatures: it did not respond', verify)
  if (reply.ok) return info('The app server accepts calls with a wrong signature', verify)
  if (status >= 500 || status === 429)
    return info(
      `It cannot be told whether the app server verifies signatures: it responded with status ${status}`,
      verify,
    )
  if (status === signed.status && isDeepStrictEqual(reply.body, signed.body))
    return info('The app server responds to a wrong signature as to a correct one', verify)
  return passed(`The app server rejects a wrong signature with status ${status}`)
}
