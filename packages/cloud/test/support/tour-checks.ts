import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Layout, Message } from '@glasses-cloud/contract'
import type { PlayedAudio } from '@glasses-cloud/phone'
import type { TourUser } from '@glasses-cloud/phone/tour'
import { galleryOf } from './photo-app.ts'
import type { TestCloud } from './test-cloud.ts'
import { withTimeout } from './wait-for.ts'

/** What the effects of the tour's steps are checked with. */
export interface TourRig extends TourUser {
  readonly cloud: TestCloud
  readonly token: string
  readonly email: string
  readonly apiKey: string
}

/**
 * Checks the effect of one step outside the app: at the glasses, at the phone or in stored data.
 * @param outcome the result that the app prints, such as `ok: shown`
 */
type Check = (rig: TourRig, outcome: string) => unknown

/** Checks only the printed result, for events from the glasses whose effect is in the app. */
const outcomeIs =
  (expected: string): Check =>
  (_, outcome) =>
    assert.equal(outcome, expected)

/** Waits for the next matching layout in a `display_event`. */
async function waitForLayout<Type extends Layout['layoutType']>(
  { glasses }: TourRig,
  layoutType: Type,
  fits: (layout: Extract<Layout, { layoutType: Type }>, view: unknown) => boolean = () => true,
): Promise<Extract<Layout, { layoutType: Type }>> {
  const { layout } = await glasses.waitForMessage('display_event', (message: Message) => {
    const candidate = message.layout as Layout
    return candidate.layoutType === layoutType && fits(candidate as never, message.view)
  })
  return layout as never
}

/** Waits until the lens is cleared. */
async function waitForBlank(rig: TourRig): Promise<void> {
  await waitForLayout(rig, 'text_wall', ({ text }, view) => text === '' && view === 'main')
  await rig.glasses.waitForDisplay(/^$/)
}

const layoutIs =
  (layout: Layout): Check =>
  async (rig, outcome) => {
    assert.equal(outcome, 'ok: shown')
    await waitForLayout(rig, layout.layoutType, (seen) => isDeepStrictEqual(seen, layout))
    await rig.glasses.waitForDisplay((lens) => lens.layout.layoutType === layout.layoutType)
  }

/** Waits until a matching sound has ended. */
function waitForSound(
  { glasses }: TourRig,
  fits: (waitForSound: PlayedAudio) => boolean,
): Promise<PlayedAudio> {
  const over = new Promise<PlayedAudio>((resolve) => {
    const checkForPrompt = () => {
      const found = glasses.audioPlayer.played.find(fits)
      if (found) resolve(found)
    }
    glasses.on('audioPlayed', checkForPrompt)
    checkForPrompt()
  })
  return withTimeout(20_000, over, 'no matching sound ended')
}

async function storedValues({ cloud, email, apiKey, packageName }: TourRig): Promise<unknown> {
  const { status, body } = await cloud.request<{ data: unknown }>(
    'GET',
    `/api/sdk/simple-storage/${encodeURIComponent(email)}`,
    { headers: { authorization: `Bearer ${packageName}:${apiKey}` } },
  )
  assert.equal(status, 200)
  return body.data
}

async function selectedSetting({ phone, packageName }: TourRig, key: string): Promise<unknown> {
  const { settings } = (await phone.request('GET', `/appsettings/${packageName}`)) as {
    settings: { key: string; selected: unknown }[]
  }
  return settings.find((each) => each.key === key)?.selected
}

const TV = 'rtmp://tv.example.com/live/tour'

/** The check of each step, in the order of the tour. */
export const checks: Readonly<Record<string, Check>> = {
  session: outcomeIs('ok: with Even Realities G1'),
  'web view links': outcomeIs('ok: created and parsed'),
  'web view': async ({ phone, packageName, email }, outcome) => {
    assert.equal(outcome, 'ok: opened by the user')
    const page = await phone.openWebView(packageName)
    assert.deepEqual(await page.json(), { userId: email, inSession: true })
    const { origin, pathname } = new URL(page.url)
    const cookie = page.headers.getSetCookie().map((each) => String(each.split(';')[0]))
    const again = await fetch(origin + pathname, { headers: { cookie: cookie.join('; ') } })
    assert.deepEqual(await again.json(), { userId: email, inSession: true })
    assert.equal((await fetch(origin + pathname)).status, 401)
  },
  tool: async ({ phone, glasses, packageName }, outcome) => {
    assert.equal(outcome, 'ok: called for the user')
    await glasses.waitForDisplay('Tea at four')
    const reply = (parameters: Record<string, string | boolean>) =>
      phone.callTool(packageName, 'show', parameters)
    assert.equal(await reply({ text: 'Tea at five' }), 'Shown on the display.')
    await glasses.waitForDisplay('Tea at five')
    assert.equal(await reply({ text: 'Tea at six', quietly: true }), 'GIVE_APP_CONTROL_OF_TOOL_RESPONSE')
    await glasses.waitForDisplay('Tea at six')
    await assert.rejects(reply({ quietly: true }), /text/)
  },
  'text wall': layoutIs({ layoutType: 'text_wall', text: 'A wall of text' }),
  'double text wall': layoutIs({
    layoutType: 'double_text_wall',
    topText: 'On the left',
    bottomText: 'On the right',
  }),
  'reference card': layoutIs({ layoutType: 'reference_card', title: 'A title', text: 'and a text' }),
  'dashboard card': layoutIs({ layoutType: 'double_text_wall', topText: '12:00', bottomText: '21 °C' }),
  'text with a duration': async (rig) => {
    await waitForLayout(rig, 'text_wall', ({ text }) => text === 'Gone in half a second')
    await waitForBlank(rig)
  },
  'wrapped text': async (rig, outcome) => {
    const { text } = await waitForLayout(rig, 'text_wall', (layout) => layout.text.includes('letter'))
    const lines = text.split('\n').length
    assert.ok(lines >= 2)
    assert.match(outcome, new RegExp(`^ok: ${lines} lines, the first \\d+ pixels wide$`))
  },
  bitmap: async (rig, outcome) => {
    assert.equal(outcome, 'ok: shown')
    const bmp = Buffer.from((await waitForLayout(rig, 'bitmap_view')).data, 'base64')
    const [kind, width, height, bits] = [
      bmp.toString('latin1', 0, 2),
      bmp.readInt32LE(18),
      bmp.readInt32LE(22),
      bmp.readUInt16LE(28),
    ]
    assert.deepEqual([kind, width, height, bits], ['BM', 576, 135, 1])
  },
  'bitmap sequence': async (rig, outcome) => {
    assert.equal(outcome, 'ok: 2 shown')
    // Earlier pictures may be skipped at this pace; the last one is always shown.
    const before = (await waitForLayout(rig, 'bitmap_view')).data
    assert.ok(before)
    await rig.glasses.waitForDisplay('[picture, 9782 bytes]')
  },
  clear: async (rig, outcome) => {
    assert.equal(outcome, 'ok: cleared')
    await waitForBlank(rig)
  },
  'bitmap animation': async (rig, outcome) => {
    assert.equal(outcome, 'ok: played, then stopped')
    const first = await waitForLayout(rig, 'bitmap_view')
    await waitForLayout(rig, 'bitmap_view', ({ data }) => data !== first.data)
    await waitForLayout(rig, 'bitmap_view', ({ data }) => data === first.data)
    await waitForBlank(rig)
  },
  'dashboard content': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: head up')
    await glasses.waitForDisplay(
      (lens) => lens.view === 'dashboard' && lens.text.includes('A line of the tour'),
    )
    // The section of the dashboard app, which may read the calendar.
    await glasses.waitForDisplay('Tea')
  },
  'dashboard mode': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: main, then expanded')
    await glasses.waitForDisplay('More lines of the tour')
  },
  'dashboard content removed': async (rig, outcome) => {
    assert.equal(outcome, 'ok: removed')
    await waitForLayout(
      rig,
      'double_text_wall',
      (layout, view) => view === 'dashboard' && !JSON.stringify(layout).includes('A line of the tour'),
    )
  },
  button: outcomeIs('ok: long press of main'),
  touch: outcomeIs('ok: single_tap'),
  gesture: outcomeIs('ok: forward_swipe'),
  'head position': outcomeIs('ok: down'),
  transcription: async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: 9 words')
    await glasses.waitForDisplay('The tour app receives every word of this sentence.')
  },
  'transcription in German': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: 3 words of de-DE')
    await glasses.waitForDisplay('Guten Tag allerseits.')
  },
  translation: (_, outcome) =>
    assert.match(outcome, /^not configured: the cloud has no translation provider \(only .*\)$/),
  'audio chunks': (_, outcome) => {
    const bytes = Number(/^ok: (\d+) bytes$/.exec(outcome)?.[1])
    assert.ok(bytes >= 6_400 && bytes <= 9_600, outcome)
  },
  'voice activity': outcomeIs('ok: speaking: true'),
  'missing permission': outcomeIs('ok: calendar_event needs CALENDAR'),
  notification: outcomeIs('ok: from Mail, normal'),
  'dismissed notification': outcomeIs('ok: n1'),
  'glasses battery': outcomeIs('ok: 81 %, charging'),
  'phone battery': outcomeIs('ok: 64 %'),
  'date and time': (_, outcome) => assert.match(outcome, /^ok: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
  'location, once': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: 48.137154, 11.576124')
    assert.equal((await glasses.waitForMessage('request_single_location')).accuracy, 'realtime')
  },
  'location stream': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: 90, 0')
    await glasses.waitForMessage('set_location_tier', ({ tier }) => tier === 'standard')
  },
  'location stream in real time': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: -90, 0')
    await glasses.waitForMessage('set_location_tier', ({ tier }) => tier === 'realtime')
  },
  'visual positioning': outcomeIs('ok: 1, 2, 3'),
  'photo by the user': (_, outcome) => assert.match(outcome, /^ok: image\/jpeg, \d{4,} bytes$/),
  settings: async (rig, outcome) => {
    assert.equal(outcome, 'ok: pace slow, loud false')
    assert.equal(await selectedSetting(rig, 'pace'), 'slow')
  },
  'changed setting': async (rig, outcome) => {
    assert.equal(outcome, 'ok: pace changed, pace is quick')
    assert.equal(await selectedSetting(rig, 'pace'), 'quick')
  },
  'phone settings': outcomeIs('ok: brightness 50, then 90'),
  'settings schema': outcomeIs('ok: 1 declared'),
  storage: async (rig, outcome) => {
    assert.equal(outcome, 'ok: colour, shape')
    assert.deepEqual(await storedValues(rig), { colour: 'green', shape: 'round' })
  },
  'cleared storage': async (rig, outcome) => {
    assert.equal(outcome, 'ok: 0 left')
    assert.deepEqual(await storedValues(rig), {})
  },
  'other users': outcomeIs('ok: 2 users'),
  'direct message': outcomeIs('ok: received “hello yourself”'),
  'broadcast message': outcomeIs('ok: received “hello yourself”'),
  room: outcomeIs('ok: joined and left by the other user, 2 users at most'),
  'device state': outcomeIs('ok: Even Realities G1, case 77 %, closed and charging, hotspot glasses'),
  'other glasses': outcomeIs('ok: Even Realities G1, then Mentra Live'),
  'Wi-Fi': async ({ glasses, packageName }, outcome) => {
    assert.equal(outcome, 'ok: connected to home')
    const { reason, appPackageName } = await glasses.waitForMessage('show_wifi_setup')
    assert.deepEqual([reason, appPackageName], ['Streams need Wi-Fi', packageName])
  },
  'audio playback': async (rig, outcome) => {
    assert.equal(outcome, 'ok: played for 0.3 s')
    const { volume, durationSeconds } = await waitForSound(rig, ({ url }) => url.endsWith('/chime.wav'))
    assert.deepEqual([volume, durationSeconds], [0.5, 0.3])
  },
  'missing audio file': async (rig, outcome) => {
    const { error } = await waitForSound(rig, ({ url }) => url.endsWith('/none.wav'))
    assert.equal(error, 'The audio URL returned status 404')
    assert.equal(outcome, `ok: ${error}`)
  },
  'parallel audio': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: not awaited')
    const { stopOtherAudio } = await glasses.waitForMessage(
      'audio_play_request',
      ({ trackId }) => trackId === 1,
    )
    assert.equal(stopOtherAudio, false)
  },
  'stopped audio': async (rig, outcome) => {
    assert.equal(outcome, 'ok: requested')
    const { error } = await waitForSound(rig, ({ trackId }) => trackId === 1)
    assert.equal(error, 'The playback was stopped')
  },
  'canceled audio': async (rig, outcome) => {
    assert.equal(outcome, 'ok: Audio request cancelled')
    const { error } = await waitForSound(rig, ({ url, trackId }) => trackId === 0 && url.endsWith('/hum.mp3'))
    assert.equal(error, 'The playback was stopped')
  },
  'text to speech': async (rig, outcome) => {
    const { url, durationSeconds = 0, volume } = await waitForSound(rig, (each) => each.trackId === 2)
    assert.equal(new URL(url).origin, rig.cloud.url)
    assert.equal(new URL(url).searchParams.get('text'), 'Welcome to the tour')
    assert.equal(volume, 0.8)
    assert.ok(durationSeconds > 0.5, String(durationSeconds))
    assert.equal(outcome, `ok: spoken in ${durationSeconds.toFixed(1)} s`)
  },
  LED: ({ glasses, packageName }, outcome) => {
    assert.equal(outcome, 'ok: user_feedback: green, red, blue, off')
    const done = { appId: packageName, action: 'on' }
    assert.deepEqual(glasses.led.commands, [
      { ...done, color: 'green', ontime: 200, offtime: 0, count: 1 },
      { ...done, color: 'red', ontime: 100, offtime: 50, count: 3 },
      { ...done, color: 'blue', ontime: 300, offtime: 0, count: 1 },
      { ...done, action: 'off', color: 'red', ontime: 1_000, offtime: 0, count: 1 },
    ])
  },
  'missing LED': ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: device_not_supported')
    assert.equal(glasses.led.commands.length, 4)
  },
  photo: async ({ cloud, token }, outcome) => {
    const photos = await galleryOf(cloud, token)
    assert.deepEqual(
      photos.map(({ size }) => outcome === `ok: image/jpeg, ${size} bytes`),
      [true],
    )
  },
  'photo to a custom URL': async ({ cloud, token }, outcome) => {
    assert.match(outcome, /^ok: \d{4,} bytes$/)
    assert.equal((await galleryOf(cloud, token)).length, 1)
  },
  'failed photo': (_, outcome) => assert.match(outcome, /^ok: .*It is dark.*CAMERA_CAPTURE_FAILED/),
  'RTMP stream': async ({ glasses }, outcome) => {
    assert.equal(outcome, `ok: active at ${TV}`)
    const { rtmpUrl, streamId, video } = await glasses.waitForMessage('start_rtmp_stream')
    assert.deepEqual([rtmpUrl, streamId], [TV, glasses.streaming.streamId])
    assert.deepEqual(video, { width: 1280, height: 720 })
  },
  'RTMP stream stopped': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: stopped')
    await glasses.waitForMessage('stop_rtmp_stream')
    assert.equal(glasses.streaming.streamId, undefined)
  },
  'managed stream': async ({ glasses }, outcome) => {
    assert.match(outcome, /^ok: HLS at \S+$/)
    assert.equal((await glasses.waitForMessage('start_rtmp_stream')).appId, 'MANAGED_STREAM')
    assert.ok(glasses.streaming.streamId)
  },
  'managed stream stopped': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: stopped')
    await glasses.waitForMessage('stop_rtmp_stream')
    assert.equal(glasses.streaming.streamId, undefined)
  },
  'SDK limitations': outcomeIs('ok: createToken, isUserActive, getInstructions'),
  disconnect: async ({ glasses, phone, packageName }, outcome) => {
    assert.equal(outcome, 'ok: disconnected')
    await glasses.waitForMessage('app_stopped', (message) => message.packageName === packageName)
    await glasses.waitForDisplay(/^$/)
    assert.equal((await phone.listApps()).find((app) => app.packageName === packageName)?.running, false)
  },
}
