import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { AppHandlers, SessionContext } from './feature.ts'

/** Lets apps ask the wearer to set up the Wi-Fi of the glasses; the phone does the asking. */
export class WifiSetup {
  readonly #context: SessionContext
  static readonly appHandlers: AppHandlers<WifiSetup> = {
    request_wifi_setup: (feature, { reason }, from) => feature.#ask(reason || undefined, from),
  }

  constructor(context: SessionContext) {
    this.#context = context
  }

  #ask(reason: string | undefined, { packageName, peer }: AppSession): void {
    const { isGlassesSocketOpen, sendToGlasses, timestamp } = this.#context
    if (isGlassesSocketOpen())
      return sendToGlasses({
        type: 'show_wifi_setup',
        ...(reason === undefined ? {} : { reason }),
        appPackageName: packageName,
        timestamp: timestamp(),
      })
    peer?.send({
      type: 'tpa_connection_error',
      code: 'PHONE_DISCONNECTED',
      message: 'The phone is not connected to the cloud: nobody can be asked to set up Wi-Fi',
      timestamp: timestamp(),
    } satisfies CloudToApp)
  }
}
