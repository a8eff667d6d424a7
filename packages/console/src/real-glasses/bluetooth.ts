import type { WebBluetooth } from '@glasses-cloud/phone/even-g1'

/** Operating systems whose browsers and settings differ. */
export type System = 'android' | 'ios' | 'macos' | 'windows' | 'chromeos' | 'linux' | 'other'

/** Why the page cannot use Bluetooth. */
export type Obstacle = 'insecure' | 'unsupported' | 'switched-off'

/** What a browser says about itself. */
export interface BrowserFacts {
  readonly userAgent: string
  /** Tablets of Apple call themselves a Mac. */
  readonly maxTouchPoints: number
}

const SYSTEMS: readonly (readonly [RegExp, System])[] = [
  [/Android/, 'android'],
  [/iPhone|iPad|iPod/, 'ios'],
  [/CrOS/, 'chromeos'],
  [/Windows/, 'windows'],
  [/Macintosh|Mac OS X/, 'macos'],
  [/Linux/, 'linux'],
]

/** The system on which a browser runs. */
export function detectSystem({ userAgent, maxTouchPoints }: BrowserFacts): System {
  const [, system = 'other'] = SYSTEMS.find(([pattern]) => pattern.test(userAgent)) ?? []
  return system === 'macos' && maxTouchPoints > 1 ? 'ios' : system
}

/** Web Bluetooth of this browser; undefined if it has none, or the page was not opened over HTTPS. */
export function webBluetooth(): WebBluetooth | undefined {
  return (navigator as { readonly bluetooth?: WebBluetooth }).bluetooth
}

/** Finds what keeps the page from using Bluetooth; undefined if nothing is known to. */
export async function findObstacle(
  bluetooth: WebBluetooth | undefined,
  isSecure: boolean,
): Promise<Obstacle | undefined> {
  if (!isSecure) return 'insecure'
  if (bluetooth === undefined) return 'unsupported'
  const isAvailable = (await bluetooth.getAvailability?.()) ?? true
  return isAvailable ? undefined : 'switched-off'
}

/** Whether the wearer closed the browser's chooser, perhaps because the glasses were not listed. */
export function isClosedChooser(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError'
}
