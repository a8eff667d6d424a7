import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EvenG1Model } from '@glasses-cloud/device-models'
import { Phone, PhoneApi, systemClock } from '@glasses-cloud/phone'
import { EvenG1 } from '@glasses-cloud/phone/even-g1'
import { sampleCalendarEvent, waitForAnimation } from '@glasses-cloud/phone/tour'
import type { Scope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

/** Events of an arm, and the answer with its battery (EvenDemoApp). */
const EVENT = { doubleTap: 0x00, singleTap: 0x01, headUp: 0x02, headDown: 0x03 } as const
const BATTERY = [0x2c, 0x66] as const

/** A wearer of a modelled Even G1 with the phone core, who runs the tour app. */
interface Wearer {
  readonly model: EvenG1Model
  readonly phone: Phone
  readonly api: PhoneApi
  readonly packageName: string
}

/** What the wearer does in a step that the glasses or their phone can do. */
interface Possible {
  /** The instruction of the app; the wearer acts when the lens shows it. Without one, the wearer acts before the step. */
  readonly prompt?: string
  readonly act?: (wearer: Wearer) => unknown
  /** What the app reports. */
  readonly outcome: RegExp
  /** What both arms draw in the end. */
  readonly lens?: RegExp | 'picture' | 'nothing'
}

/** A step that these glasses cannot do: what the app reports, and why. */
interface Impossible {
  readonly outcome: RegExp
  readonly why: string
}

/** The phone has the button; these glasses have none. */
function pressNext(phone: Phone): void {
  phone.send({ type: 'button_press', buttonId: 'next', pressType: 'short', timestamp: Date.now() })
}

const NEVER = /^failed: timed out waiting for/

/** The phone recognizes what is said; the cloud recognizes what the glasses hear in `my-glasses.long.test.ts`. */
const recognize =
  (text: string, language: string) =>
  async ({ phone }: Wearer) => {
    await phone.waitForMicrophone('transcription')
    phone.send({ type: 'local_transcription', text, isFinal: true, language })
  }

const steps: Readonly<Record<string, Possible | Impossible>> = {
  session: { outcome: /^ok: with Even Realities G1$/ },
  'web view links': { outcome: /^ok: / },
  'web view': {
    prompt: 'Open the app on the phone',
    act: async ({ api, packageName }) => assert.ok((await api.openWebView(packageName)).ok),
    outcome: /^ok: opened by the user$/,
  },
  tool: {
    prompt: 'Ask your assistant',
    act: ({ api, packageName }) => api.callTool(packageName, 'show', { text: 'Tea at four' }),
    outcome: /^ok: called for the user$/,
    lens: /Tea at four/,
  },
  'text wall': { outcome: /^ok: shown$/, lens: /^A wall of text$/ },
  'double text wall': { outcome: /^ok: shown$/, lens: /^On the left +On the right$/ },
  'reference card': { outcome: /^ok: shown$/, lens: /^A title\n\nand a text$/ },
  'dashboard card': { outcome: /^ok: shown$/, lens: /^12:00 +21 °C$/ },
  'text with a duration': { outcome: /^ok: /, lens: 'nothing' },
  'wrapped text': { outcome: /^ok: \d lines/, lens: /letter/ },
  bitmap: { outcome: /^ok: shown$/, lens: 'picture' },
  'bitmap sequence': { outcome: /^ok: 2 shown$/, lens: 'picture' },
  clear: { outcome: /^ok: cleared$/, lens: 'nothing' },
  'bitmap animation': {
    act: async ({ phone }) => {
      await waitForAnimation(phone)
      pressNext(phone)
    },
    outcome: /^ok: played, then stopped$/,
    lens: 'nothing',
  },
  'dashboard content': {
    prompt: 'Look up',
    act: ({ model }) => model.left.emit(EVENT.headUp),
    outcome: /^ok: head up$/,
    lens: /A line of the tour/,
  },
  'dashboard mode': {
    act: async ({ model, phone }) => {
      model.left.emit(EVENT.headDown)
      await phone.waitForDisplay('Look up and double-tap')
      model.left.emit(EVENT.headUp)
      model.right.emit(EVENT.doubleTap)
    },
    outcome: /^ok: main, then expanded$/,
    lens: /More lines of the tour/,
  },
  'dashboard content removed': {
    act: async ({ model, phone }) => {
      model.right.emit(EVENT.doubleTap)
      await phone.waitForDisplay((display) => display.layout.layoutType === 'double_text_wall')
      model.left.emit(EVENT.headDown)
    },
    outcome: /^ok: removed$/,
  },
  button: { outcome: NEVER, why: 'no buttons' },
  touch: {
    prompt: 'Touch the temple',
    act: ({ model }) => model.left.emit(EVENT.singleTap),
    outcome: /^ok: single_tap$/,
  },
  gesture: { outcome: NEVER, why: 'no swipes' },
  'head position': {
    prompt: 'Look up and down',
    act: ({ model }) => {
      model.left.emit(EVENT.headUp)
      model.left.emit(EVENT.headDown)
    },
    outcome: /^ok: down$/,
  },
  transcription: {
    prompt: 'Say something',
    act: recognize('The tour app receives every word of this sentence.', 'en-US'),
    outcome: /^ok: 9 words$/,
    lens: /^The tour app receives every word of\s+this sentence\.$/,
  },
  'transcription in German': {
    prompt: 'Say something in German',
    act: recognize('Guten Tag allerseits.', 'de-DE'),
    outcome: /^ok: 3 words of de-DE$/,
    lens: /^Guten Tag allerseits\.$/,
  },
  translation: { outcome: /^not configured: /, why: 'this cloud has no provider' },
  'audio chunks': { outcome: /^ok: \d{4,} bytes$/ },
  'voice activity': { outcome: NEVER, why: 'no detection of voices' },
  'missing permission': { outcome: /^ok: calendar_event needs CALENDAR$/ },
  notification: {
    prompt: 'Wait for a notification',
    act: ({ api }) =>
      api.sendNotification({ notificationId: 'n1', app: 'Mail', title: 'Ada', content: 'Tea?' }),
    outcome: /^ok: from Mail, normal$/,
  },
  'dismissed notification': {
    prompt: 'Dismiss the notification',
    act: ({ api }) =>
      api.dismissNotification({
        notificationId: 'n1',
        notificationKey: 'mail|n1',
        packageName: 'com.example.mail',
      }),
    outcome: /^ok: n1$/,
  },
  'glasses battery': {
    prompt: 'Charge the glasses',
    act: ({ model }) => {
      for (const arm of model.arms) arm.notify(Uint8Array.of(...BATTERY, 81, 0, 0, 0))
    },
    outcome: /^ok: 81 %, not charging$/,
  },
  'phone battery': {
    prompt: 'Charge the phone',
    act: ({ phone }) => phone.send({ type: 'phone_battery_update', level: 64, charging: true }),
    outcome: /^ok: 64 %$/,
  },
  'date and time': {
    prompt: 'Wait for the date and time',
    act: ({ api }) => api.sendDateTime(new Date().toISOString()),
    outcome: /^ok: \d{4}-/,
  },
  'location, once': {
    act: ({ phone }) => {
      phone.position = { lat: 48.137154, lng: 11.576124, accuracy: 5 }
    },
    outcome: /^ok: 48\.137154, 11\.576124$/,
  },
  'location stream': {
    prompt: 'Walk to the north pole',
    act: ({ phone }) => phone.reportPosition(90, 0, { accuracy: 3 }),
    outcome: /^ok: 90, 0$/,
  },
  'location stream in real time': {
    prompt: 'Walk on to the south pole',
    act: ({ phone }) => phone.reportPosition(-90, 0, { accuracy: 1 }),
    outcome: /^ok: -90, 0$/,
  },
  'visual positioning': { outcome: NEVER, why: 'no camera' },
  'photo by the user': { outcome: NEVER, why: 'no camera' },
  settings: { outcome: /^ok: pace slow, loud false$/ },
  'changed setting': {
    prompt: 'Change the setting “pace”',
    act: ({ api, packageName }) => api.updateAppSettings(packageName, { pace: 'quick' }),
    outcome: /^ok: pace changed, pace is quick$/,
  },
  'phone settings': {
    prompt: 'Increase the brightness',
    act: ({ api }) => api.updateSettings({ brightness: 90 }),
    outcome: /^ok: brightness 50, then 90$/,
  },
  'settings schema': { outcome: /^ok: 1 declared$/ },
  storage: { outcome: /^ok: colour, shape$/ },
  'cleared storage': { outcome: /^ok: 0 left$/ },
  'other users': { outcome: /^ok: 2 users$/ },
  'direct message': { outcome: /^ok: received/ },
  'broadcast message': { outcome: /^ok: received/ },
  room: { outcome: /^ok: joined and left/ },
  'device state': {
    prompt: 'Close the case',
    act: ({ api }) =>
      api.reportDeviceState({
        caseBatteryLevel: 77,
        caseOpen: false,
        caseCharging: true,
        hotspotEnabled: false,
      }),
    outcome: /^ok: Even Realities G1, case 77 %, closed and charging, hotspot off$/,
  },
  'other glasses': { outcome: NEVER, why: 'these are the glasses' },
  'Wi-Fi': { outcome: NEVER, why: 'no Wi-Fi' },
  'audio playback': { outcome: /^ok: played for 0\.3 s$/ },
  'missing audio file': { outcome: /^ok: The audio URL returned status 404$/ },
  'parallel audio': { outcome: /^ok: not awaited$/ },
  'stopped audio': { outcome: /^ok: requested$/ },
  'canceled audio': { outcome: /^ok: Audio request cancelled$/ },
  'text to speech': { outcome: /^ok: spoken in / },
  LED: { outcome: /^failed: /, why: 'no LED' },
  'missing LED': { outcome: NEVER, why: 'no LED, so that none answers' },
  photo: { outcome: /^failed: /, why: 'no camera' },
  'photo to a custom URL': { outcome: /^failed: /, why: 'no camera' },
  'failed photo': { outcome: /^ok: / },
  'RTMP stream': { outcome: /^failed: /, why: 'no camera' },
  'RTMP stream stopped': { outcome: /^failed: /, why: 'no camera' },
  'managed stream': { outcome: /^failed: /, why: 'no camera' },
  'managed stream stopped': { outcome: /^not configured: /, why: 'no camera' },
  'SDK limitations': { outcome: /^ok: / },
  disconnect: { outcome: /^ok: disconnected$/, lens: 'nothing' },
}

test('each step of the tour app with a modelled Even G1', async (t) => {
  const cloud = await spawnCloud(t, { env: { STREAM_PROVIDER: 'memory' } })
  const dashboard = await SdkApp.registerSample(t, cloud, 'dashboard')
  // The tour waits in vain in every step that these glasses cannot do.
  const tour = await SdkApp.registerSample(t, cloud, 'tour', {}, { EVENT_TIMEOUT_MS: '4000' })
  const companion = await wear(t, cloud, 'companion@example.com')
  await companion.api.install(tour.packageName)
  await companion.api.startApp(tour.packageName)
  await tour.app.waitForLine(/^tour: ready, /)

  const { model, phone, api } = await wear(t, cloud, 'ann@example.com')
  await api.sendCalendar([sampleCalendarEvent()])
  await api.startApp(dashboard.packageName)
  await api.install(tour.packageName)
  const before = tour.app.lines.length
  await api.startApp(tour.packageName)
  await phone.waitForDisplay('Press the button', { timeoutMs: 20_000 })
  const ready = await tour.app.waitForLine(/^tour: ready, /, before)
  assert.deepEqual(ready.slice(ready.lastIndexOf(': ') + 2).split('; '), Object.keys(steps))

  const wearer: Wearer = { model, phone, api, packageName: tour.packageName }
  for (const [name, step] of Object.entries(steps)) {
    const next = () => pressNext(phone)
    if ('why' in step) next()
    else await perform(step, wearer, next)
    const line = await tour.app.waitForLine(new RegExp(`^tour: ${name} (ok|failed|not configured): `))
    assert.match(line.slice(`tour: ${name} `.length), step.outcome, name)
    if (!('why' in step) && step.lens !== undefined) await bothDraw(model, name, step.lens)
  }
  await tour.app.waitForLine(/^tour: tour complete/)
})

async function perform({ prompt, act }: Possible, wearer: Wearer, next: () => void): Promise<void> {
  if (prompt === undefined) {
    const done = act?.(wearer)
    next()
    await done
    return
  }
  next()
  await wearer.phone.waitForDisplay(prompt)
  await act?.(wearer)
}

/** Waits until both arms draw the same, which fits. */
async function bothDraw(
  model: EvenG1Model,
  step: string,
  expected: NonNullable<Possible['lens']>,
): Promise<void> {
  const shown = () => model.arms.map(({ lens }) => `${lens.kind}: ${lens.lines.join('\n')}`)
  await waitFor(`the lens of ${step}`, () => {
    if (!model.areLensesEqual) return false
    const [{ lens }] = model.arms
    if (expected === 'picture') return lens.kind === 'picture'
    if (expected === 'nothing') return lens.kind !== 'picture' && lens.lines.length === 0
    return lens.kind === 'text' && expected.test(lens.lines.join('\n'))
  }).catch((cause) => {
    throw new Error(`${step}: the arms show ${JSON.stringify(shown())}`, { cause })
  })
  assert.deepEqual(
    model.arms.map(({ lens }) => lens.overflows),
    [0, 0],
    step,
  )
}

/** Wears a modelled pair of Even G1. */
async function wear(t: Scope, cloud: TestCloud, email: string) {
  const token = await cloud.token(email)
  const model = new EvenG1Model(systemClock)
  const glasses = new EvenG1({ left: model.left, right: model.right, clock: systemClock })
  const phone = new Phone(glasses, { url: cloud.url, token, respondBy: 'rest', reconnect: false })
  t.after(() => phone.disconnect())
  await phone.connect()
  return { model, phone, api: new PhoneApi({ url: cloud.url, token }) }
}
