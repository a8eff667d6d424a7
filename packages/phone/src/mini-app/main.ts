/** The script of the mini app. The cloud that serves it sets `GLASSES_CLOUD_URL` before. */

import '../bare/recent-functions.ts'
import { provideAbortController } from '../bare/abort-controller.ts'
import { MiniApp } from './mini-app.ts'

/** What the runtime of the host adds to the language (its `startup` script). */
interface HostGlobals {
  readonly GLASSES_CLOUD_URL: string
  readonly localStorage: Storage
  __dispatch(receiver: string, method: string, args: string): unknown
  /** Called with each text of the host. */
  __mentraDeliverBridgeRaw?: (text: string) => void
  /** Called once the script has run. */
  __mentraInitCallback?: () => void
}

provideAbortController()

const engine = globalThis as unknown as HostGlobals

engine.__mentraInitCallback = () => {
  const app = new MiniApp({
    url: engine.GLASSES_CLOUD_URL,
    send: (text) => void engine.__dispatch('__bridge', 'send', JSON.stringify([text])),
    storage: engine.localStorage,
  })
  engine.__mentraDeliverBridgeRaw = (text) => app.receive(text)
  app.start().catch(({ message }: Error) => console.error(message))
}
