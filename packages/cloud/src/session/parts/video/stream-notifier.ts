import { type CloudToApp, PHONE_PACKAGE } from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import { LazyMap, LazySet } from '../../lazy-collections.ts'
import type { Peer } from '../../peer.ts'
import type { SessionContext } from '../part.ts'
import { sendStreamStatusToPhone } from '../phone-apps.ts'

/** A status of a stream for an app. */
export type StreamStatusMessage = Extract<
  CloudToApp,
  { type: 'rtmp_stream_status' | 'managed_stream_status' }
>

/**
 * Sends stream statuses to apps and to the phone. The app SDK assumes that it is streaming until it receives a status,
 * so the last one is sent again to a client that reconnected (STR-14).
 */
export class StreamNotifier {
  readonly #context: SessionContext
  /** The apps that use the message names of SDK 3, by package name. */
  readonly #renamed = new LazySet<string>()
  /** The last status of each type, by package name. */
  readonly #last = new LazyMap<string, Map<StreamStatusMessage['type'], StreamStatusMessage>>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  /** Sets whether the statuses of an app's direct stream are sent as `stream_status`. */
  rename(packageName: string, isRenamed: boolean): void {
    if (isRenamed) this.#renamed.add(packageName)
    else this.#renamed.delete(packageName)
  }

  notify(packageName: string, message: StreamStatusMessage): void {
    const last = this.#last.get(packageName) ?? new Map()
    this.#last.set(packageName, last.set(message.type, message))
    if (packageName === PHONE_PACKAGE) sendStreamStatusToPhone(this.#context, message)
    else this.#context.apps.get(packageName)?.peer?.send(this.#named(packageName, message))
  }

  /** Sends a status unless it equals the last one of its type, apart from the timestamp. */
  notifyIfChanged(packageName: string, message: StreamStatusMessage): void {
    const last = this.#last.get(packageName)?.get(message.type)
    if (last && isSameStatus(last, message)) return
    this.notify(packageName, message)
  }

  appConnected({ packageName }: AppSession, peer: Peer): void {
    for (const message of this.#last.get(packageName)?.values() ?? [])
      peer.send(this.#named(packageName, message))
  }

  phoneConnected(): void {
    for (const message of this.#last.get(PHONE_PACKAGE)?.values() ?? [])
      sendStreamStatusToPhone(this.#context, message)
  }

  /** Forgets the last statuses of an app that stopped. */
  reset(packageName: string): void {
    this.#last.delete(packageName)
    this.#renamed.delete(packageName)
  }

  #named(packageName: string, message: StreamStatusMessage): CloudToApp {
    const isRenamed = message.type === 'rtmp_stream_status' && this.#renamed.has(packageName)
    return isRenamed ? { ...message, type: 'stream_status' } : message
  }
}

function isSameStatus(one: StreamStatusMessage, other: StreamStatusMessage): boolean {
  return JSON.stringify({ ...one, timestamp: '' }) === JSON.stringify({ ...other, timestamp: '' })
}
