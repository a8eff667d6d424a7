import { type CloudToApp, phonePackage } from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import type { Peer } from '../../peer.ts'
import type { SessionContext } from '../feature.ts'
import { sendStreamStatusToPhone } from '../phone-apps.ts'

/** What an app is told of its stream. */
export type StreamStatusMessage = Extract<
  CloudToApp,
  { type: 'rtmp_stream_status' | 'managed_stream_status' }
>

/**
 * Tells apps how their streams stand. The app SDK believes it streams until it hears otherwise, so the last word is
 * kept and said once more to an app whose connection broke and came back.
 */
export class StreamNotifier {
  readonly #context: SessionContext
  /** By app, the last notice of each type. */
  readonly #last = new Map<string, Map<StreamStatusMessage['type'], StreamStatusMessage>>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  /** Tells an app. */
  notify(packageName: string, notice: StreamStatusMessage): void {
    const last = this.#last.get(packageName) ?? new Map()
    this.#last.set(packageName, last.set(notice.type, notice))
    if (packageName === phonePackage) sendStreamStatusToPhone(this.#context, notice)
    else this.#context.apps.get(packageName)?.peer?.send(notice)
  }

  /** Tells an app what it has not heard last. */
  notifyIfChanged(packageName: string, notice: StreamStatusMessage): void {
    const last = this.#last.get(packageName)?.get(notice.type)
    if (last && same(last, notice)) return
    this.notify(packageName, notice)
  }

  /** An app is connected again. */
  appConnected({ packageName }: AppSession, peer: Peer): void {
    for (const notice of this.#last.get(packageName)?.values() ?? []) peer.send(notice)
  }

  /** The phone is connected again. */
  phoneConnected(): void {
    for (const notice of this.#last.get(phonePackage)?.values() ?? [])
      sendStreamStatusToPhone(this.#context, notice)
  }

  /** An app is gone. */
  forget(packageName: string): void {
    this.#last.delete(packageName)
  }
}

function same(one: StreamStatusMessage, other: StreamStatusMessage): boolean {
  return JSON.stringify({ ...one, timestamp: '' }) === JSON.stringify({ ...other, timestamp: '' })
}
