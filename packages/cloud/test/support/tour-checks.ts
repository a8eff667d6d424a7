import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Layout, Message } from '@glasses-cloud/contract'
import type { PlayedAudio } from '@glasses-cloud/glasses'
import type { TourUser } from '@glasses-cloud/glasses/tour'
import { espeakMissing } from '../../src/features/tts/testing/espeak-missing.ts'
import { galleryOf } from './photo-app.ts'
import { type TestCloud, withTimeout } from './test-cloud.ts'

/** Where the effects of the tour's steps are looked for. */
export interface TourWorld extends TourUser {
  readonly cloud: TestCloud
  readonly token: string
  readonly email: string
  readonly apiKey: string
}

/**
 * Checks the effect of one step, on the other side of the cloud where it has one: at the glasses, at the phone, in what
 * is stored.
 * @param outcome what the app says of it, such as `ok: shown`
 */
type Check = (world: TourWorld, outcome: string) => unknown

/** Only what the app itself says: for what comes from the glasses and has its effect in the app. */
const says =
  (wanted: string): Check =>
  (_, outcome) =>
    assert.equal(outcome, wanted)

/** The next picture for the lens that fits, seen so far or to come. */
async function drawn<Type extends Layout['layoutType']>(
  { glasses }: TourWorld,
  layoutType: Type,
  fits: (layout: Extract<Layout, { layoutType: Type }>, view: unknown) => boolean = () => true,
): Promise<Extract<Layout, { layoutType: Type }>> {
  const { layout } = await glasses.waitForMessage('display_event', (message: Message) => {
    const candidate = message.layout as Layout
    return candidate.layoutType === layoutType && fits(candidate as never, message.view)
  })
  return layout as never
}

/** The lens is cleared, and everything drawn before is read. */
async function blanked(world: TourWorld): Promise<void> {
  await drawn(world, 'text_wall', ({ text }, view) => text === '' && view === 'main')
  await world.glasses.waitForDisplay(/^$/)
}

const shows =
  (layout: Layout): Check =>
  async (world, outcome) => {
    assert.equal(outcome, 'ok: shown')
    await drawn(world, layout.layoutType, (seen) => isDeepStrictEqual(seen, layout))
    await world.glasses.waitForDisplay((lens) => lens.layout.layoutType === layout.layoutType)
  }

/** The sound that fits, once it is over. */
function sound({ glasses }: TourWorld, fits: (sound: PlayedAudio) => boolean): Promise<PlayedAudio> {
  const over = new Promise<PlayedAudio>((resolve) => {
    const look = () => {
      const found = glasses.audioPlayer.played.find(fits)
      if (found) resolve(found)
    }
    glasses.on('audioPlayed', look)
    look()
  })
  return withTimeout(10_000, over, 'no such sound was over')
}

async function stored({ cloud, email, apiKey, packageName }: TourWorld): Promise<unknown> {
  const { status, body } = await cloud.request<{ data: unknown }>(
    'GET',
    `/api/sdk/simple-storage/${encodeURIComponent(email)}`,
    { headers: { authorization: `Bearer ${packageName}:${apiKey}` } },
  )
  assert.equal(status, 200)
  return body.data
}

async function setting({ phone, packageName }: TourWorld, key: string): Promise<unknown> {
  const { settings } = (await phone.request('GET', `/appsettings/${packageName}`)) as {
    settings: { key: string; selected: unknown }[]
  }
  return settings.find((each) => each.key === key)?.selected
}

const TV = 'rtmp://tv.example.com/live/tour'

/** How the effect of each step is checked, in the order of the tour. */
export const checks: Readonly<Record<string, Check>> = {
  session: says('ok: with Even Realities G1'),
  'web view links': says('ok: created and parsed'),
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
  'text wall': shows({ layoutType: 'text_wall', text: 'A wall of text' }),
  'double text wall': shows({
    layoutType: 'double_text_wall',
    topText: 'On the left',
    bottomText: 'On the right',
  }),
  'reference card': shows({ layoutType: 'reference_card', title: 'A title', text: 'and a text' }),
  'dashboard card': shows({ layoutType: 'double_text_wall', topText: '12:00', bottomText: '21 °C' }),
  'text with a duration': async (world) => {
    await drawn(world, 'text_wall', ({ text }) => text === 'Gone in half a second')
    await blanked(world)
  },
  'wrapped text': async (world, outcome) => {
    const { text } = await drawn(world, 'text_wall', (layout) => layout.text.includes('letter'))
    const lines = text.split('\n').length
    assert.ok(lines >= 2)
    assert.match(outcome, new RegExp(`^ok: ${lines} lines, the first \\d+ pixels wide$`))
  },
  bitmap: async (world, outcome) => {
    assert.equal(outcome, 'ok: shown')
    const bmp = Buffer.from((await drawn(world, 'bitmap_view')).data, 'base64')
    const [kind, width, height, bits] = [
      bmp.toString('latin1', 0, 2),
      bmp.readInt32LE(18),
      bmp.readInt32LE(22),
      bmp.readUInt16LE(28),
    ]
    assert.deepEqual([kind, width, height, bits], ['BM', 576, 135, 1])
  },
  'bitmap sequence': async (world, outcome) => {
    assert.equal(outcome, 'ok: 2 shown')
    // Whether each was seen is a matter of the pace; the last one always is.
    const before = (await drawn(world, 'bitmap_view')).data
    assert.ok(before)
    await world.glasses.waitForDisplay('[picture, 9782 bytes]')
  },
  clear: async (world, outcome) => {
    assert.equal(outcome, 'ok: cleared')
    await blanked(world)
  },
  'bitmap animation': async (world, outcome) => {
    assert.equal(outcome, 'ok: played, then stopped')
    const first = await drawn(world, 'bitmap_view')
    await drawn(world, 'bitmap_view', ({ data }) => data !== first.data)
    await drawn(world, 'bitmap_view', ({ data }) => data === first.data)
    await blanked(world)
  },
  'dashboard content': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: head up')
    await glasses.waitForDisplay(
      (lens) => lens.view === 'dashboard' && lens.text.includes('A line of the tour'),
    )
    // The corner of the dashboard app, which may hear of the calendar.
    await glasses.waitForDisplay('Tea')
  },
  'dashboard mode': async ({ glasses }, outcome) => {
    assert.equal(outcome, 'ok: main, then expanded')
    await glasses.waitForDisplay('More lines of the tour')
  },
  'dashboard content removed': async (world, outcome) => {
    assert.equal(outcome, 'ok: removed')
    await drawn(
      world,
      'double_text_wall',
      (layout, view) => view === 'dashboard' && !JSON.stringify(layout).includes('A line of the tour'),
    )
  },
  button: says('ok: long press of main'),
  touch: says('ok: single_tap'),
  gesture: says('ok: forward_swipe'),
  'head position': says('ok: down'),
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
  'voice activity': says('ok: speaking: true'),
  'missing permission': says('ok: calendar_event needs CALENDAR'),
  notification: says('ok: from Mail, normal'),
  'dismissed notification': says('ok: n1'),
  'glasses battery': says('ok: 81 %, charging'),
  'phone battery': says('ok: 64 %'),
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
  'visual positioning': says('ok: 1, 2, 3'),
  'photo by the user': (_, outcome) => assert.match(outcome, /^ok: image\/jpeg, \d{4,} bytes$/),
  settings: async (world, outcome) => {
    assert.equal(outcome, 'ok: pace slow, loud false')
    assert.equal(await setting(world, 'pace'), 'slow')
  },
  'changed setting': async (world, outcome) => {
    assert.equal(outcome, 'ok: pace changed, pace is quick')
    assert.equal(await setting(world, 'pace'), 'quick')
  },
  'phone settings': says('ok: brightness 50, then 90'),
  'settings schema': says('ok: 1 declared'),
  storage: async (world, outcome) => {
    assert.equal(outcome, 'ok: colour, shape')
    assert.deepEqual(await stored(world), { colour: 'green', shape: 'round' })
  },
  'cleared storage': async (world, outcome) => {
    assert.equal(outcome, 'ok: 0 left')
    assert.deepEqual(await stored(world), {})
  },
  'other users': says('ok: 2 users'),
  'direct message': says('ok: received “hello yourself”'),
  'broadcast message': says('ok: received “hello yourself”'),
  room: says('ok: joined and left by the other user, 2 users at most'),
  'device state': says('ok: Even Realities G1, case 77 %, closed and charging, hotspot glasses'),
  'other glasses': says('ok: Even Realities G1, then Mentra Live'),
  'Wi-Fi': async ({ glasses, packageName }, outcome) => {
    assert.equal(outcome, 'ok: connected to home')
    const { reason, appPackageName } = await glasses.waitForMessage('show_wifi_setup')
    assert.deepEqual([reason, appPackageName], ['Streams need Wi-Fi', packageName])
  },
  'audio playback': async (world, outcome) => {
    assert.equal(outcome, 'ok: played for 0.3 s')
    const { volume, durationSeconds } = await sound(world, ({ url }) => url.endsWith('/chime.wav'))
    assert.deepEqual([volume, durationSeconds], [0.5, 0.3])
  },
  'missing audio file': async (world, outcome) => {
    const { error } = await sound(world, ({ url }) => url.endsWith('/none.wav'))
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
  'stopped audio': async (world, outcome) => {
    assert.equal(outcome, 'ok: requested')
    const { error } = await sound(world, ({ trackId }) => trackId === 1)
    assert.equal(error, 'The playback was stopped')
  },
  'canceled audio': async (world, outcome) => {
    assert.equal(outcome, 'ok: Audio request cancelled')
    const { error } = await sound(world, ({ url, trackId }) => trackId === 0 && url.endsWith('/hum.wav'))
    assert.equal(error, 'The playback was stopped')
  },
  'text to speech': async (world, outcome) => {
    const { url, durationSeconds = 0, volume } = await sound(world, (each) => each.trackId === 2)
    assert.equal(new URL(url).origin, world.cloud.url)
    assert.equal(new URL(url).searchParams.get('text'), 'Welcome to the tour')
    assert.equal(volume, 0.8)
    if (espeakMissing === false) {
      assert.ok(durationSeconds > 0.5, String(durationSeconds))
      assert.equal(outcome, `ok: spoken in ${durationSeconds.toFixed(1)} s`)
    } else assert.match(outcome, /^not configured: .* 500: TTS the service not configured$/)
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
  'SDK limitations': says('ok: createToken, isUserActive, getInstructions'),
  disconnect: async ({ glasses, phone, packageName }, outcome) => {
    assert.equal(outcome, 'ok: disconnected')
    await glasses.waitForMessage('app_stopped', (message) => message.packageName === packageName)
    await glasses.waitForDisplay(/^$/)
    assert.equal((await phone.listApps()).find((app) => app.packageName === packageName)?.running, false)
  },
}
