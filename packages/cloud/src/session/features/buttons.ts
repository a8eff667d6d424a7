import { type ButtonPress, wearerPhotoMs } from '@glasses-cloud/contract'
import type { Timer } from '../clock.ts'
import type { SessionContext } from './feature.ts'

/** Photos the wearer may have to take at a time. */
const MAX_PHOTOS = 20

/**
 * The buttons of the glasses, as glasses report them that do not say so on their socket. A press is for the apps that
 * listen; where none does, it means a photo for the wearer (glasses socket protocol, 3.9).
 */
export class Buttons {
  readonly #context: SessionContext
  /** Photos to be taken, by the id they are uploaded with; oldest first. */
  readonly #photos = new Map<string, Timer>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  /** @returns the id of the photo that the glasses are to take; nothing where apps have the press */
  press({ buttonId, pressType }: ButtonPress): string | undefined {
    const { subscriptions, publish, timestamp, createId, clock } = this.#context
    if (subscriptions.hasSubscribers('button_press')) {
      publish('button_press', {}, { type: 'button_press', buttonId, pressType, timestamp: timestamp() })
      return undefined
    }
    const [oldest] = this.#photos.keys()
    if (oldest !== undefined && this.#photos.size >= MAX_PHOTOS) this.#forget(oldest)
    const requestId = `button_${createId()}${createId()}`
    this.#photos.set(
      requestId,
      clock.after(wearerPhotoMs, () => this.#forget(requestId)),
    )
    return requestId
  }

  /** Whether the glasses are to take the photo of that id, still. */
  isPhotoPending(requestId: string): boolean {
    return this.#photos.has(requestId)
  }

  #forget(requestId: string): void {
    this.#photos.get(requestId)?.cancel()
    this.#photos.delete(requestId)
  }
}
