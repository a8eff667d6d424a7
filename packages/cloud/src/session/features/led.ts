import type { AppToCloud, GlassesToCloud } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'
import { PendingRequests } from './pending-requests.ts'

type Control = Extract<AppToCloud, { type: 'rgb_led_control' }>
type ControlResponse = Extract<GlassesToCloud, { type: 'rgb_led_control_response' }>
type Outcome = Pick<ControlResponse, 'success' | 'error'>

/** Light commands of an app whose answer is awaited. */
const MAX_OPEN = 50

/** The light of the glasses, in the hands of apps. */
export class Led implements SessionFeature {
  readonly #context: SessionContext
  readonly #open: PendingRequests
  static readonly appHandlers: AppHandlers<Led> = {
    rgb_led_control: (feature, message, from) => feature.#control(message, from),
  }
  static readonly glassesHandlers: GlassesHandlers<Led> = {
    rgb_led_control_response: (feature, message) => feature.#respond(message),
  }

  constructor(context: SessionContext) {
    this.#context = context
    this.#open = new PendingRequests(context, {
      wait: context.timing.ledControlTimeoutMs,
      perApp: MAX_OPEN,
      gaveUp: ({ packageName, requestId }, error) =>
        this.#answer(packageName, requestId, { success: false, error }),
    })
  }

  onAppReset(packageName: string): void {
    this.#open.drop(packageName)
  }

  #control(message: Control, { packageName }: AppSession): void {
    const { requestId, action, color, ontime, offtime, count } = message
    if (this.#open.has(packageName, requestId)) return
    const error = this.#refusal()
    if (error) return this.#answer(packageName, requestId, { success: false, error })
    const id = this.#open.add(packageName, requestId)
    const { sendToGlasses, userSessionId, timestamp } = this.#context
    sendToGlasses({
      type: 'rgb_led_control',
      sessionId: userSessionId,
      requestId: id,
      appId: packageName,
      packageName,
      action,
      color: color || 'red',
      ontime: ontime ?? 1_000,
      offtime: offtime ?? 0,
      count: count ?? 1,
      timestamp: timestamp(),
    })
  }

  /** In the words phones use for it (glasses socket protocol, 2.1). */
  #refusal(): string | undefined {
    const { isGlassesSocketOpen, device } = this.#context
    if (!isGlassesSocketOpen() || device.isDisconnected) return 'glasses_not_connected'
    return device.capabilities?.hasLight === false ? 'device_not_supported' : undefined
  }

  #respond(message: ControlResponse): void {
    const request = this.#open.settle(message.requestId)
    if (request) this.#answer(request.packageName, request.requestId, message)
    const named = request ? { ...message, requestId: request.requestId } : message
    this.#context.publish('rgb_led_control_response', {}, named)
  }

  #answer(packageName: string, requestId: string, { success, error }: Outcome): void {
    const session = this.#context.apps.get(packageName)
    session?.answer({
      type: 'rgb_led_control_response',
      requestId,
      success,
      ...(error ? { error } : {}),
      sessionId: session.sessionId,
      timestamp: this.#context.timestamp(),
    })
  }
}
