import { tone } from '../audio/pcm.ts'
import { takePicture } from '../camera/picture.ts'
import type { Glasses } from '../glasses.ts'
import type { Phone } from '../phone.ts'

/** Somebody who takes the tour of `apps/tour`. */
export interface TourUser {
  readonly glasses: Glasses
  readonly phone: Phone
  /** Package of the tour. */
  readonly packageName: string
  /** Milliseconds between two spoken words. */
  readonly wordMs: number
}

/** What the wearer does in one step of the tour. */
interface StepAction {
  /** For the audience. */
  readonly narration: string
  /** What the app asks for on the lens; the wearer acts when it is to be read. */
  readonly prompt?: string
  readonly run: (goer: TourUser) => unknown
}

const HOUR_MS = 3_600_000

/** What the wearer does, by the name of the step; in the steps that are not here there is nothing to do. */
const stepActions: Readonly<Record<string, StepAction>> = {
  'web view': {
    narration: 'The wearer opens the app on the phone.',
    prompt: 'Open the app on the phone',
    run: async ({ phone, packageName }) => {
      const page = await phone.openWebView(packageName)
      if (!page.ok) throw new Error(`The page answered with status ${page.status}`)
      await page.body?.cancel()
    },
  },
  tool: {
    narration: 'The wearer asks an assistant to show “Tea at four”.',
    prompt: 'Ask your assistant',
    run: ({ phone, packageName }) => phone.callTool(packageName, 'show', { text: 'Tea at four' }),
  },
  'dashboard content': {
    narration: 'The wearer looks up, and sees the dashboard.',
    prompt: 'Look up',
    run: ({ glasses }) => glasses.moveHead('up'),
  },
  'dashboard mode': {
    narration: 'A double tap opens the dashboard.',
    run: async ({ glasses }) => {
      // The lens has shown the dashboard since the step before.
      glasses.moveHead('down')
      await glasses.waitForDisplay('Look up and tap twice')
      glasses.moveHead('up')
      glasses.touch('double_tap')
    },
  },
  'dashboard without the tour': {
    narration: 'Another double tap, and a look ahead again.',
    run: async ({ glasses }) => {
      glasses.touch('double_tap')
      await glasses.waitForDisplay((lens) => lens.layout.layoutType === 'double_text_wall')
      glasses.moveHead('down')
    },
  },
  button: {
    narration: 'The wearer holds a button.',
    prompt: 'Hold the button',
    run: ({ glasses }) => glasses.pressButton('main', 'long'),
  },
  touch: {
    narration: 'The wearer taps at the temple.',
    prompt: 'Touch the temple',
    run: ({ glasses }) => glasses.touch('single_tap'),
  },
  gesture: {
    narration: 'The wearer swipes forward.',
    prompt: 'Swipe forward',
    run: ({ glasses }) => glasses.touch('forward_swipe'),
  },
  head: {
    narration: 'The wearer nods.',
    prompt: 'Look up and down',
    run: ({ glasses }) => {
      glasses.moveHead('up')
      glasses.moveHead('down')
    },
  },
  speech: {
    narration: 'Somebody says: “The tour hears every word of this.”',
    prompt: 'Say something',
    run: ({ glasses, wordMs }) => glasses.speak('The tour hears every word of this.', { wordMs }),
  },
  'speech in German': {
    narration: 'Somebody says: “Guten Tag allerseits.”',
    prompt: 'Say something in German',
    run: ({ glasses, wordMs }) => glasses.speak('Guten Tag allerseits.', { wordMs, language: 'de-DE' }),
  },
  'sound around': {
    narration: 'Somebody hums.',
    prompt: 'Hum',
    run: async ({ glasses }) => {
      await glasses.waitForMicrophone(true)
      await glasses.playAudio(tone(300))
    },
  },
  'voice activity': {
    narration: 'Somebody begins to speak.',
    prompt: 'Begin to speak',
    run: ({ glasses }) => glasses.sendVad(true),
  },
  notification: {
    narration: 'A message comes up on the phone.',
    prompt: 'Let somebody write',
    run: ({ phone }) =>
      phone.sendNotification({ notificationId: 'n1', app: 'Mail', title: 'Ada', content: 'Tea?' }),
  },
  'notification wiped away': {
    narration: 'The wearer wipes the message away.',
    prompt: 'Wipe it away',
    run: ({ phone }) =>
      phone.dismissNotification({
        notificationId: 'n1',
        notificationKey: 'mail|n1',
        packageName: 'com.example.mail',
      }),
  },
  'battery of the glasses': {
    narration: 'The glasses are charged.',
    prompt: 'Charge the glasses',
    run: ({ glasses }) => glasses.reportBattery(81, true),
  },
  'battery of the phone': {
    narration: 'The phone is charged.',
    prompt: 'Charge the phone',
    run: ({ glasses }) => glasses.send({ type: 'phone_battery_update', level: 64, charging: true }),
  },
  'date and time': {
    narration: 'The phone says what time it is.',
    prompt: 'Look at the clock',
    run: ({ phone }) => phone.sendDateTime(new Date().toISOString()),
  },
  'place, asked once': {
    narration: 'The phone is asked where the wearer is.',
    run: ({ glasses }) => {
      glasses.position = { lat: 48.137154, lng: 11.576124, accuracy: 5 }
    },
  },
  'place, followed': {
    narration: 'The wearer walks to the north pole.',
    prompt: 'Walk to the north pole',
    run: ({ glasses }) => glasses.reportPosition(90, 0, { accuracy: 3 }),
  },
  'place, followed closely': {
    narration: 'The wearer walks on to the south pole.',
    prompt: 'Walk on to the south pole',
    run: ({ glasses }) => glasses.reportPosition(-90, 0, { accuracy: 1 }),
  },
  'place, by sight': {
    narration: 'The glasses find their place by what they see.',
    prompt: 'Look around',
    run: ({ glasses }) => {
      const seen = { deviceModel: glasses.model, requestId: 'v1', confidence: 0.9 }
      glasses.send({ type: 'vps_coordinates', ...seen, x: 1, y: 2, z: 3, qx: 0, qy: 0, qz: 0, qw: 1 })
    },
  },
  'photo of the wearer': {
    narration: 'The wearer takes a photo.',
    prompt: 'Take a photo',
    run: ({ glasses }) => {
      const photoData = takePicture(7, 'small', 'heavy').jpeg.toString('base64')
      glasses.send({ type: 'photo_taken', photoData, mimeType: 'image/jpeg' })
    },
  },
  'changed settings': {
    narration: 'The wearer chooses another pace.',
    prompt: 'Choose another pace',
    run: ({ phone, packageName }) => phone.updateAppSettings(packageName, { pace: 'quick' }),
  },
  'settings of the phone': {
    narration: 'The wearer makes the lens brighter.',
    prompt: 'Make the lens brighter',
    run: ({ phone }) => phone.updateSettings({ brightness: 90 }),
  },
  'state of the glasses': {
    narration: 'The case of the glasses is shut.',
    prompt: 'Close the case',
    run: ({ phone }) =>
      phone.reportDeviceState({
        caseBatteryLevel: 77,
        caseOpen: false,
        caseCharging: true,
        hotspotEnabled: true,
        hotspotSsid: 'glasses',
      }),
  },
  'other glasses': {
    narration: 'The wearer puts on other glasses, with a camera and without Wi-Fi so far.',
    prompt: 'Put on glasses with a camera',
    run: ({ glasses }) => {
      glasses.leaveWifi()
      glasses.putOn('Mentra Live')
    },
  },
  'Wi-Fi': {
    narration: 'The phone offers to set up Wi-Fi, and the wearer does.',
    run: ({ glasses }) => glasses.once('wifiSetupRequest', () => glasses.joinWifi('home')),
  },
  'light that is missing': {
    narration: 'The light breaks.',
    run: ({ glasses }) => {
      glasses.led.behavior = { kind: 'fail', error: 'device_not_supported' }
    },
  },
  'photo that fails': {
    narration: 'There is a hand before the camera.',
    run: ({ glasses }) => {
      glasses.camera = { kind: 'fail', errorCode: 'CAMERA_CAPTURE_FAILED', errorMessage: 'It is dark' }
    },
  },
}

/** An appointment in the wearer's calendar, for the dashboard to show. */
export function sampleCalendarEvent(): {
  readonly id: string
  readonly title: string
  readonly startDate: string
} {
  return { id: 'tea', title: 'Tea', startDate: new Date(Date.now() + HOUR_MS).toISOString() }
}

/** What the audience is told about a step. */
export function describeStep(step: string): string {
  return stepActions[step]?.narration ?? `The app shows: ${step}.`
}

/** Goes on to the next step, and does what the app asks for in it. */
export async function performStep(step: string, goer: TourUser): Promise<void> {
  const { glasses } = goer
  const { prompt, run } = stepActions[step] ?? {}
  // What needs no request must be so before the app looks.
  if (prompt === undefined) {
    const done = run?.(goer)
    glasses.pressButton('next')
    await done
    return
  }
  glasses.pressButton('next')
  await glasses.waitForDisplay(prompt)
  await run?.(goer)
}
