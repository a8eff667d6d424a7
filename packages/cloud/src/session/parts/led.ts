import type { AppToCloud, GlassesToCloud } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionPart } from './part.ts'
import { type DropReason, PendingRequests } from './pending-requests.ts'

type LedRequest = Extract<AppToCloud, { type: 'rgb_led_control' }>
type LedResponse = Extract<GlassesToCloud, { type: 'rgb_led_control_response' }>
type LedResult = Pick<LedResponse, 'success' | 'error'>

const MAX_PENDING_PER_APP = 50

const dropMessages: Readonly<Record<DropReason, string>> = {
  timeout: 'The glasses did not respond in time',
  evicted: `The app has more than ${MAX_PENDING_PER_APP} pending LED requests`,
}

/** Forwards LED requests of apps to the glasses, and their responses to the apps. */
export class Led implements SessionPart {
  static readonly appHandlers: AppHandlers<Led> = {
    rgb_led_control: (part, message, from) => part.#request(message, from),
  }
  static readonly glassesHandlers: GlassesHandlers<Led> = {
    rgb_led_control_response: (part, message) => part.#complete(message),
  }

  readonly #context: SessionContext
  readonly #pending: PendingRequests

  constructor(context: SessionContext) {
    this.#context = context
    this.#pending = new PendingRequests(context.clock, {
      timeoutMs: context.timing.ledControlTimeoutMs,
      maxPerOwner: MAX_PENDING_PER_APP,
      onDrop: ({ owner, requestId }, reason) =>
        this.#respond(owner, requestId, { success: false, error: dropMessages[reason] }),
      send: context.sendToGlasses,
    })
  }

  onGlassesConnected(): void {
    this.#pending.resend()
  }

  onAppReset(packageName: string): void {
    this.#pending.cancel(packageName)
  }

  #request(message: LedRequest, { packageName }: AppSession): void {
    const { requestId, action, color, ontime, offtime, count } = message
    if (this.#pending.find(requestId, packageName)) return
    const error = this.#rejection()
    if (error !== undefined) return this.#respond(packageName, requestId, { success: false, error })
    const { userSessionId, timestamp } = this.#context
    this.#pending.add(packageName, requestId, undefined, (id) => ({
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
    }))
  }

  /** The error code that phones use for the same condition (glasses-socket.md §2.1); undefined if there is none. */
  #rejection(): string | undefined {
    const { isGlassesSocketOpen, device } = this.#context
    if (!isGlassesSocketOpen() || device.isDisconnected) return 'glasses_not_connected'
    return device.capabilities?.hasLight === false ? 'device_not_supported' : undefined
  }

  #complete(message: LedResponse): void {
    const request = this.#pending.complete(message.requestId)
    if (request) this.#respond(request.owner, request.requestId, message)
    const relayed = request ? { ...message, requestId: request.requestId } : message
    this.#context.publish('rgb_led_control_response', {}, relayed)
  }

  #respond(packageName: string, requestId: string, { success, error }: LedResult): void {
    const session = this.#context.apps.get(packageName)
    session?.sendOrQueue({
      type: 'rgb_led_control_response',
      requestId,
      success,
      ...(error ? { error } : {}),
      sessionId: session.sessionId,
      timestamp: this.#context.timestamp(),
    })
  }
}
