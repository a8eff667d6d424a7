import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { silence, tone } from '../audio/pcm.ts'
import { parseWav } from '../audio/wav.ts'
import type { Phone } from '../phone.ts'
import type { PhoneApi } from '../phone-api.ts'
import { drawPicture } from '../platform/node.ts'
import type { Glasses } from '../simulated/glasses.ts'

/** A pause that ends a sentence, in milliseconds. */
const PAUSE_MS = 1_200

/**
 * Speaks a sentence with the program `flite`.
 * @param path a temporary file
 * @returns microphone audio; undefined if the program is not installed
 */
export async function speakAloud(sentence: string, path: string): Promise<Buffer | undefined> {
  const child = spawn('flite', ['-voice', 'slt', '-t', sentence, '-o', path], { stdio: 'ignore' })
  const isSpoken = await once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  )
  return isSpoken ? Buffer.concat([parseWav(await readFile(path)), silence(PAUSE_MS)]) : undefined
}

/** A user who runs the tour app (`apps/tour`). */
export interface TourUser {
  readonly glasses: Glasses
  readonly phone: PhoneApi
  /** Package name of the tour app. */
  readonly packageName: string
  /** Milliseconds between two recognized words. */
  readonly wordMs: number
}

/** What the user does in one step of the tour. */
interface StepAction {
  /** Description for the audience. */
  readonly narration: string
  /** The instruction on the display; the user acts when it is visible. Without one, the user acts before the step. */
  readonly prompt?: string
  readonly run: (user: TourUser) => unknown
}

const HOUR_MS = 3_600_000

/** The actions by step name; other steps need none. */
const stepActions: Readonly<Record<string, StepAction>> = {
  'web view': {
    narration: 'The user opens the app on the phone.',
    prompt: 'Open the app on the phone',
    run: async ({ phone, packageName }) => {
      const page = await phone.openWebView(packageName)
      if (!page.ok) throw new Error(`The page answered with status ${page.status}`)
      await page.body?.cancel()
    },
  },
  tool: {
    narration: 'The user asks an assistant to show “Tea at four”.',
    prompt: 'Ask your assistant',
    run: ({ phone, packageName }) => phone.callTool(packageName, 'show', { text: 'Tea at four' }),
  },
  'bitmap animation': {
    narration: 'The user watches an animation of two pictures, and ends it with the button.',
    run: async ({ glasses }) => {
      await waitForAnimation(glasses)
      glasses.pressButton('next')
    },
  },
  'dashboard content': {
    narration: 'The user looks up and sees the dashboard.',
    prompt: 'Look up',
    run: ({ glasses }) => glasses.moveHead('up'),
  },
  'dashboard mode': {
    narration: 'A double tap opens the dashboard.',
    run: async ({ glasses }) => {
      // The dashboard has been visible since the previous step.
      glasses.moveHead('down')
      await glasses.waitForDisplay('Look up and double-tap')
      glasses.moveHead('up')
      glasses.touch('double_tap')
    },
  },
  'dashboard content removed': {
    narration: 'Another double tap, and the user looks ahead again.',
    run: async ({ glasses }) => {
      glasses.touch('double_tap')
      await glasses.waitForDisplay((display) => display.layout.layoutType === 'double_text_wall')
      glasses.moveHead('down')
    },
  },
  button: {
    narration: 'The user holds a button.',
    prompt: 'Hold the button',
    run: ({ glasses }) => glasses.pressButton('main', 'long'),
  },
  touch: {
    narration: 'The user taps at the temple.',
    prompt: 'Touch the temple',
    run: ({ glasses }) => glasses.touch('single_tap'),
  },
  gesture: {
    narration: 'The user swipes forward.',
    prompt: 'Swipe forward',
    run: ({ glasses }) => glasses.touch('forward_swipe'),
  },
  'head position': {
    narration: 'The user nods.',
    prompt: 'Look up and down',
    run: ({ glasses }) => {
      glasses.moveHead('up')
      glasses.moveHead('down')
    },
  },
  transcription: {
    narration: 'Someone says: “The tour app receives every word of this sentence.”',
    prompt: 'Say something',
    run: async ({ glasses, wordMs }) => {
      await glasses.waitForMicrophone('transcription')
      await glasses.speak('The tour app receives every word of this sentence.', { wordMs })
    },
  },
  'transcription in German': {
    narration: 'Someone says: “Guten Tag allerseits.”',
    prompt: 'Say something in German',
    run: async ({ glasses, wordMs }) => {
      await glasses.waitForMicrophone('transcription')
      await glasses.speak('Guten Tag allerseits.', { wordMs, language: 'de-DE' })
    },
  },
  'audio chunks': {
    narration: 'Someone hums.',
    prompt: 'Hum',
    run: async ({ glasses }) => {
      await glasses.waitForMicrophone('pcm')
      await glasses.playAudio(tone(300))
    },
  },
  'voice activity': {
    narration: 'Someone starts speaking.',
    prompt: 'Start speaking',
    run: ({ glasses }) => glasses.sendVad(true),
  },
  notification: {
    narration: 'The phone receives a notification.',
    prompt: 'Wait for a notification',
    run: ({ phone }) =>
      phone.sendNotification({ notificationId: 'n1', app: 'Mail', title: 'Ada', content: 'Tea?' }),
  },
  'dismissed notification': {
    narration: 'The user dismisses the notification.',
    prompt: 'Dismiss the notification',
    run: ({ phone }) =>
      phone.dismissNotification({
        notificationId: 'n1',
        notificationKey: 'mail|n1',
        packageName: 'com.example.mail',
      }),
  },
  'glasses battery': {
    narration: 'The glasses are charged.',
    prompt: 'Charge the glasses',
    run: ({ glasses }) => glasses.reportBattery(81, true),
  },
  'phone battery': {
    narration: 'The phone is charged.',
    prompt: 'Charge the phone',
    run: ({ glasses }) => glasses.send({ type: 'phone_battery_update', level: 64, charging: true }),
  },
  'date and time': {
    narration: 'The phone reports the date and time.',
    prompt: 'Wait for the date and time',
    run: ({ phone }) => phone.sendDateTime(new Date().toISOString()),
  },
  'location, once': {
    narration: 'The phone reports its position on request.',
    run: ({ glasses }) => {
      glasses.position = { lat: 48.137154, lng: 11.576124, accuracy: 5 }
    },
  },
  'location stream': {
    narration: 'The user walks to the north pole.',
    prompt: 'Walk to the north pole',
    run: ({ glasses }) => glasses.reportPosition(90, 0, { accuracy: 3 }),
  },
  'location stream in real time': {
    narration: 'The user walks on to the south pole.',
    prompt: 'Walk on to the south pole',
    run: ({ glasses }) => glasses.reportPosition(-90, 0, { accuracy: 1 }),
  },
  'visual positioning': {
    narration: 'The glasses determine their position from what the camera sees.',
    prompt: 'Look around',
    run: ({ glasses }) => {
      const seen = { deviceModel: glasses.model, requestId: 'v1', confidence: 0.9 }
      glasses.send({ type: 'vps_coordinates', ...seen, x: 1, y: 2, z: 3, qx: 0, qy: 0, qz: 0, qw: 1 })
    },
  },
  'photo by the user': {
    narration: 'The user takes a photo.',
    prompt: 'Take a photo',
    run: ({ glasses }) => {
      const photoData = drawPicture(7, 'small', 'heavy').jpeg.toString('base64')
      glasses.send({ type: 'photo_taken', photoData, mimeType: 'image/jpeg' })
    },
  },
  'changed setting': {
    narration: 'The user changes the setting “pace”.',
    prompt: 'Change the setting “pace”',
    run: ({ phone, packageName }) => phone.updateAppSettings(packageName, { pace: 'quick' }),
  },
  'phone settings': {
    narration: 'The user increases the brightness.',
    prompt: 'Increase the brightness',
    run: ({ phone }) => phone.updateSettings({ brightness: 90 }),
  },
  'device state': {
    narration: 'The user closes the case of the glasses.',
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
    narration: 'The user puts on glasses with a camera; they have no Wi-Fi yet.',
    prompt: 'Put on glasses with a camera',
    run: ({ glasses }) => {
      glasses.leaveWifi()
      glasses.putOn('Mentra Live')
    },
  },
  'Wi-Fi': {
    narration: 'The phone offers to set up Wi-Fi, and the user accepts.',
    run: ({ glasses }) => glasses.once('wifiSetupRequest', () => glasses.joinWifi('home')),
  },
  'missing LED': {
    narration: 'The LED stops working.',
    run: ({ glasses }) => {
      glasses.led.behavior = { kind: 'fail', error: 'device_not_supported' }
    },
  },
  'failed photo': {
    narration: 'A hand covers the camera.',
    run: ({ glasses }) => {
      glasses.camera = { kind: 'fail', errorCode: 'CAMERA_CAPTURE_FAILED', errorMessage: 'It is dark' }
    },
  },
}

/** Waits until an animation of two pictures has begun again. */
export async function waitForAnimation(phone: Phone): Promise<void> {
  const pictures: unknown[] = []
  await phone.waitForDisplay(({ layout }) => {
    if (layout.layoutType === 'bitmap_view' && layout.data !== pictures.at(-1)) pictures.push(layout.data)
    return pictures.length === 3
  })
}

/** A calendar event for the dashboard to show. */
export function sampleCalendarEvent(): {
  readonly id: string
  readonly title: string
  readonly startDate: string
} {
  return { id: 'tea', title: 'Tea', startDate: new Date(Date.now() + HOUR_MS).toISOString() }
}

/** Describes a step for the audience. */
export function describeStep(step: string): string {
  return stepActions[step]?.narration ?? `Step: ${step}.`
}

/** Starts the next step of the tour and performs its action. */
export async function performStep(step: string, user: TourUser): Promise<void> {
  const { glasses } = user
  const { prompt, run } = stepActions[step] ?? {}
  if (prompt === undefined) {
    const done = run?.(user)
    glasses.pressButton('next')
    await done
    return
  }
  glasses.pressButton('next')
  await glasses.waitForDisplay(prompt)
  await run?.(user)
}
