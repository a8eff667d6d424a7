import { BUTTON_PHOTO_TIMEOUT_MS, type ButtonPress, buttonPress } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { command, optional } from '../command.ts'
import type { SessionContext } from './part.ts'
import { PendingRequests } from './pending-requests.ts'

const MAX_PENDING_PHOTOS = 20

/** The owner of requests that a button made and no app. */
const BUTTON = 'button'

/**
 * Button presses that glasses report over REST. A press is relayed to the apps that subscribe to `button_press`; if
 * none does, it is a request for a photo for the user (glasses-socket.md §3.9).
 */
export class Buttons {
  static readonly commands = {
    /** Delivers a button press; returns the id of the photo to take if no app subscribes to the press. */
    pressButton: command([buttonPress], optional(Type.String()), (buttons: Buttons, press) =>
      buttons.press(press),
    ),
    /** Returns whether a photo that was requested by a button press is still pending. */
    isPhotoPending: command([Type.String()], Type.Boolean(), (buttons: Buttons, requestId) =>
      buttons.isPhotoPending(requestId),
    ),
  }

  readonly #context: SessionContext
  readonly #pendingPhotos: PendingRequests

  constructor(context: SessionContext) {
    this.#context = context
    this.#pendingPhotos = new PendingRequests(context.clock, {
      timeoutMs: BUTTON_PHOTO_TIMEOUT_MS,
      maxPerOwner: MAX_PENDING_PHOTOS,
    })
  }

  /** @returns the request id of the photo that the glasses are to take; undefined if apps received the press */
  press({ buttonId, pressType }: ButtonPress): string | undefined {
    const { subscriptions, publish, timestamp, createId } = this.#context
    if (subscriptions.hasSubscribers('button_press')) {
      publish('button_press', {}, { type: 'button_press', buttonId, pressType, timestamp: timestamp() })
      return undefined
    }
    return this.#pendingPhotos.add(BUTTON, `button_${createId()}${createId()}`, undefined).id
  }

  isPhotoPending(requestId: string): boolean {
    return this.#pendingPhotos.has(requestId)
  }
}
