import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { AppHandlers, SessionContext } from './part.ts'

/** Forwards requests of apps to set up the Wi-Fi of the glasses to the phone, which shows the setup to the user. */
export class WifiSetup {
  static readonly appHandlers: AppHandlers<WifiSetup> = {
    request_wifi_setup: (part, { reason }, from) => part.#request(reason || undefined, from),
  }

  readonly #context: SessionContext

  constructor(context: SessionContext) {
    this.#context = context
  }

  #request(reason: string | undefined, { packageName, peer }: AppSession): void {
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
      message: 'Wi-Fi setup is not possible: the phone is not connected to the cloud',
      timestamp: timestamp(),
    } satisfies CloudToApp)
  }
}
