import { waitForEvenAppBridge } from '@evenrealities/even_hub_sdk'
import { type EvenBridge, SerialBridge } from '@glasses-cloud/phone/even-hub'

const POLL_MS = 200
/** The Even app gives its handler to a page some moments after it was loaded. */
const USUAL_MS = 5_000

declare global {
  interface Window {
    /** Set by the Even app. */
    readonly flutter_inappwebview?: { readonly callHandler?: unknown }
  }
}

/**
 * The bridge to the Even app, once the page runs in it.
 * @param onMissing called once if it seems not to
 */
export async function connectHost(onMissing: () => void): Promise<EvenBridge> {
  const timer = setTimeout(onMissing, USUAL_MS)
  while (typeof window.flutter_inappwebview?.callHandler !== 'function')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  clearTimeout(timer)
  const bridge = await waitForEvenAppBridge()
  // Its types ask for instances of classes where its documentation gives plain objects.
  return new SerialBridge(bridge as unknown as EvenBridge)
}
