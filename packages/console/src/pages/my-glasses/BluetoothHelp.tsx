import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Notice } from '../../components/Notice.tsx'
import {
  detectSystem,
  findObstacle,
  type Obstacle,
  type System,
  webBluetooth,
} from '../../real-glasses/bluetooth.ts'
import type { GlassesKind } from '../../real-glasses/chosen-glasses.ts'

const CHROME_OR_EDGE = 'Open this page in Chrome or Edge. Firefox and Safari do not let pages use Bluetooth.'

/** What to do where the browser has no Bluetooth for pages. */
const WITHOUT_BLUETOOTH: Readonly<Record<System, string>> = {
  android: 'Open this page in Chrome or Edge for Android. Firefox does not let pages use Bluetooth.',
  ios: 'On iPhone and iPad, no browser with the engine of the system lets pages use Bluetooth, Chrome included. The browsers Bluefy and WebBLE bring it themselves; this page was not tried in them. Otherwise use Chrome on an Android phone or on a computer.',
  macos: CHROME_OR_EDGE,
  windows: CHROME_OR_EDGE,
  chromeos: 'Open this page in Chrome, and bring it up to date if it is old.',
  linux:
    'Use Chrome or Chromium, open chrome://flags/#enable-experimental-web-platform-features there, enable it, and start the browser again. Firefox does not let pages use Bluetooth.',
  other: 'Open this page in Chrome or Edge on Android, Windows, macOS or ChromeOS.',
}

/** Help for what keeps the page from using Bluetooth. */
const OBSTACLES: Readonly<
  Record<Obstacle, { readonly title: string; readonly text: (system: System) => string }>
> = {
  insecure: {
    title: 'This page was not opened over https',
    text: () =>
      'Browsers let pages use Bluetooth only over https, or at localhost. Open the https address of this cloud. If it has none, its operator can switch it on: the setting is called TLS.',
  },
  unsupported: {
    title: 'This browser has no Bluetooth for pages',
    text: (system) => WITHOUT_BLUETOOTH[system],
  },
  'switched-off': {
    title: 'Bluetooth is switched off',
    text: () => 'Switch it on in the settings of this device, and load this page again.',
  },
}

/** Help for a kind of glasses: on every system, and on each. */
interface PairingHelpSteps {
  readonly always: readonly string[]
  readonly system: Readonly<Record<System, readonly string[]>>
}

const MAC_PERMISSION = 'In System Settings, Privacy & Security, Bluetooth, allow the browser.'
const ANDROID_PERMISSION =
  'In the settings of Android, allow the browser “Nearby devices”, on older versions “Location”.'

/**
 * What systems have in common.
 * @param accept what is asked, and how often
 * @param forget what to remove from the settings of a computer
 */
const onSystems = (accept: string, forget: string): PairingHelpSteps['system'] => ({
  android: [`If Android asks whether to pair, ${accept}.`, ANDROID_PERMISSION],
  ios: [],
  macos: [
    MAC_PERMISSION,
    'Nobody has reported yet whether the glasses connect with a Mac: try an Android phone or Windows if they do not.',
  ],
  windows: [`If Windows asks whether to pair, ${accept}.`, forget],
  chromeos: [`If ChromeOS asks whether to pair, ${accept}.`, forget],
  linux: [forget],
  other: [forget],
})

/** What helps when the glasses are not listed, or do not connect. */
const PAIRING_HELP: Readonly<Record<GlassesKind, PairingHelpSteps>> = {
  'even-g1': {
    always: [
      'Take the glasses out of the case, open them, and hold them near. They must be charged.',
      'Close the app of their maker on every phone, or switch Bluetooth off there: an arm has one connection at a time.',
      'If the glasses are new, pair them with the app of their maker once, and close it.',
    ],
    system: onSystems(
      'accept, once for each arm',
      'If the arms are listed in the Bluetooth settings of this computer, remove both there, and choose them again here.',
    ),
  },
  // How a pairing is removed is from the Brilliant docs.
  brilliant: {
    always: [
      'Take the glasses off their charger, and hold them near. They must be charged.',
      'Close the app of their maker on every phone, or switch Bluetooth off there: the glasses have one connection at a time.',
      'If the glasses were paired with another device, remove that pairing: on Frame press the button in the pinhole of the charger while it is on it, on Halo hold the button for eight seconds.',
    ],
    system: onSystems(
      'accept',
      'If the glasses are listed in the Bluetooth settings of this computer, remove them there, and choose them again here.',
    ),
  },
}

/** What keeps the page from using Bluetooth, and what to do on this system. */
export function ObstacleNotice({ obstacle }: { readonly obstacle: Obstacle }) {
  const { title, text } = OBSTACLES[obstacle]
  return (
    <Notice tone="warning" title={title}>
      {text(detectSystem(navigator))}
    </Notice>
  )
}

export interface PairingHelpProps {
  readonly title: string
  readonly kind: GlassesKind
  readonly children: ReactNode
}

/** What helps on this system when glasses are not listed or do not connect. */
export function PairingHelp({ title, kind, children }: PairingHelpProps) {
  const { always, system } = PAIRING_HELP[kind]
  const steps = [...always, ...system[detectSystem(navigator)]]
  return (
    <Notice tone="warning" title={title}>
      {children}
      <ul>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** What keeps the page from using Bluetooth; null if nothing is known to, undefined until that was found out. */
export function useBluetoothObstacle(): Obstacle | null | undefined {
  const { data } = useQuery({
    queryKey: ['bluetooth', 'obstacle'],
    queryFn: async () => (await findObstacle(webBluetooth(), window.isSecureContext)) ?? null,
    gcTime: 0,
  })
  return data
}
