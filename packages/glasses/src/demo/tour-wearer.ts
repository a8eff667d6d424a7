import { tone } from '../audio/pcm.ts'
import { takePicture } from '../camera/picture.ts'
import type { Glasses } from '../glasses.ts'
import type { Phone } from '../phone.ts'

/** Somebody who takes the tour of `apps/tour`. */
export interface TourGoer {
  readonly glasses: Glasses
  readonly phone: Phone
  /** Package of the tour. */
  readonly packageName: string
  /** Milliseconds between two spoken words. */
  readonly wordMs: number
}

/** What the wearer does in one step of the tour. */
interface Act {
  /** For the audience. */
  readonly scene: string
  /** What the app asks for on the lens; the wearer acts when it is to be read. */
  readonly request?: string
  readonly run: (goer: TourGoer) => unknown
}

const AN_HOUR_MS = 3_600_000

/** What the wearer does, by the name of the step; in the steps that are not here there is nothing to do. */
const acts: Readonly<Record<string, Act>> = {
  'web view': {
    scene: 'The wearer opens the app on the phone.',
    request: 'Open the app on the phone',
    run: async ({ phone, packageName }) => {
      const page = await phone.openWebView(packageName)
      if (!page.ok) throw new Error(`The page answered with status ${page.status}`)
      await page.body?.cancel()
    },
  },
  tool: {
    scene: 'The wearer asks an assistant to show “Tea at four”.',
    request: 'Ask your assistant',
    run: ({ phone, packageName }) => phone.useTool(packageName, 'show', { text: 'Tea at four' }),
  },
  'dashboard content': {
    scene: 'The wearer looks up, and sees the dashboard.',
    request: 'Look up',
    run: ({ glasses }) => glasses.head('up'),
  },
  'dashboard mode': {
    scene: 'A double tap opens the dashboard.',
    run: async ({ glasses }) => {
      // The lens has shown the dashboard since the step before.
      glasses.head('down')
      await glasses.waitForLens('Look up and tap twice')
      glasses.head('up')
      glasses.touch('double_tap')
    },
  },
  'dashboard without the tour': {
    scene: 'Another double tap, and a look ahead again.',
    run: async ({ glasses }) => {
      glasses.touch('double_tap')
      await glasses.waitForLens((lens) => lens.layout.layoutType === 'double_text_wall')
      glasses.head('down')
    },
  },
  button: {
    scene: 'The wearer holds a button.',
    request: 'Hold the button',
    run: ({ glasses }) => glasses.button('main', 'long'),
  },
  touch: {
    scene: 'The wearer taps at the temple.',
    request: 'Touch the temple',
    run: ({ glasses }) => glasses.touch('single_tap'),
  },
  gesture: {
    scene: 'The wearer swipes forward.',
    request: 'Swipe forward',
    run: ({ glasses }) => glasses.touch('forward_swipe'),
  },
  head: {
    scene: 'The wearer nods.',
    request: 'Look up and down',
    run: ({ glasses }) => {
      glasses.head('up')
      glasses.head('down')
    },
  },
  speech: {
    scene: 'Somebody says: “The tour hears every word of this.”',
    request: 'Say something',
    run: ({ glasses, wordMs }) => glasses.speak('The tour hears every word of this.', { wordMs }),
  },
  'speech in German': {
    scene: 'Somebody says: “Guten Tag allerseits.”',
    request: 'Say something in German',
    run: ({ glasses, wordMs }) => glasses.speak('Guten Tag allerseits.', { wordMs, language: 'de-DE' }),
  },
  'sound around': {
    scene: 'Somebody hums.',
    request: 'Hum',
    run: async ({ glasses }) => {
      await glasses.waitForMicrophone(true)
      await glasses.playAudio(tone(300))
    },
  },
  'voice activity': {
    scene: 'Somebody begins to speak.',
    request: 'Begin to speak',
    run: ({ glasses }) => glasses.vad(true),
  },
  notification: {
    scene: 'A message comes up on the phone.',
    request: 'Let somebody write',
    run: ({ phone }) => phone.notify({ notificationId: 'n1', app: 'Mail', title: 'Ada', content: 'Tea?' }),
  },
  'notification wiped away': {
    scene: 'The wearer wipes the message away.',
    request: 'Wipe it away',
    run: ({ phone }) =>
      phone.dismissNotification({
        notificationId: 'n1',
        notificationKey: 'mail|n1',
        packageName: 'com.example.mail',
      }),
  },
  'battery of the glasses': {
    scene: 'The glasses are charged.',
    request: 'Charge the glasses',
    run: ({ glasses }) => glasses.battery(81, true),
  },
  'battery of the phone': {
    scene: 'The phone is charged.',
    request: 'Charge the phone',
    run: ({ glasses }) => glasses.send({ type: 'phone_battery_update', level: 64, charging: true }),
  },
  'date and time': {
    scene: 'The phone says what time it is.',
    request: 'Look at the clock',
    run: ({ phone }) => phone.tellTime(new Date().toISOString()),
  },
  'place, asked once': {
    scene: 'The phone is asked where the wearer is.',
    run: ({ glasses }) => {
      glasses.place = { lat: 48.137154, lng: 11.576124, accuracy: 5 }
    },
  },
  'place, followed': {
    scene: 'The wearer walks to the north pole.',
    request: 'Walk to the north pole',
    run: ({ glasses }) => glasses.location(90, 0, { accuracy: 3 }),
  },
  'place, followed closely': {
    scene: 'The wearer walks on to the south pole.',
    request: 'Walk on to the south pole',
    run: ({ glasses }) => glasses.location(-90, 0, { accuracy: 1 }),
  },
  'place, by sight': {
    scene: 'The glasses find their place by what they see.',
    request: 'Look around',
    run: ({ glasses }) => {
      const seen = { deviceModel: glasses.model, requestId: 'v1', confidence: 0.9 }
      glasses.send({ type: 'vps_coordinates', ...seen, x: 1, y: 2, z: 3, qx: 0, qy: 0, qz: 0, qw: 1 })
    },
  },
  'photo of the wearer': {
    scene: 'The wearer takes a photo.',
    request: 'Take a photo',
    run: ({ glasses }) => {
      const photoData = takePicture(7, 'small', 'heavy').jpeg.toString('base64')
      glasses.send({ type: 'photo_taken', photoData, mimeType: 'image/jpeg' })
    },
  },
  'changed settings': {
    scene: 'The wearer chooses another pace.',
    request: 'Choose another pace',
    run: ({ phone, packageName }) => phone.changeAppSettings(packageName, { pace: 'quick' }),
  },
  'settings of the phone': {
    scene: 'The wearer makes the lens brighter.',
    request: 'Make the lens brighter',
    run: ({ phone }) => phone.changeSettings({ brightness: 90 }),
  },
  'state of the glasses': {
    scene: 'The case of the glasses is shut.',
    request: 'Close the case',
    run: ({ phone }) =>
      phone.reportDevice({
        caseBatteryLevel: 77,
        caseOpen: false,
        caseCharging: true,
        hotspotEnabled: true,
        hotspotSsid: 'glasses',
      }),
  },
  'other glasses': {
    scene: 'The wearer puts on other glasses, with a camera and without Wi-Fi so far.',
    request: 'Put on glasses with a camera',
    run: ({ glasses }) => {
      glasses.leaveWifi()
      glasses.wear('Mentra Live')
    },
  },
  'Wi-Fi': {
    scene: 'The phone offers to set up Wi-Fi, and the wearer does.',
    run: ({ glasses }) => glasses.once('wifiSetup', () => glasses.joinWifi('home')),
  },
  'light that is missing': {
    scene: 'The light breaks.',
    run: ({ glasses }) => {
      glasses.light.behaviour = { kind: 'fail', error: 'device_not_supported' }
    },
  },
  'photo that fails': {
    scene: 'There is a hand before the camera.',
    run: ({ glasses }) => {
      glasses.camera = { kind: 'fail', errorCode: 'CAMERA_CAPTURE_FAILED', errorMessage: 'It is dark' }
    },
  },
}

/** An appointment in the wearer's calendar, for the dashboard to show. */
export function appointment(): { readonly id: string; readonly title: string; readonly startDate: string } {
  return { id: 'tea', title: 'Tea', startDate: new Date(Date.now() + AN_HOUR_MS).toISOString() }
}

/** What the audience is told about a step. */
export function sceneOf(step: string): string {
  return acts[step]?.scene ?? `The app shows: ${step}.`
}

/** Goes on to the next step, and does what the app asks for in it. */
export async function takeStep(step: string, goer: TourGoer): Promise<void> {
  const { glasses } = goer
  const { request, run } = acts[step] ?? {}
  // What needs no request must be so before the app looks.
  if (request === undefined) {
    const done = run?.(goer)
    glasses.button('next')
    await done
    return
  }
  glasses.button('next')
  await glasses.waitForLens(request)
  await run?.(goer)
}
