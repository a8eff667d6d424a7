import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { simulate } from '../src/terminal/index.ts'
import { type ClientConnection, FakeCloud, type FakeCloudOptions } from './support/fake-cloud.ts'

/** The program with somebody at the keys: types lines, reads what is written. */
class Session {
  readonly #keys = new PassThrough()
  readonly #written = new EventEmitter<{ more: [] }>()
  readonly ended: Promise<void>
  output = ''

  constructor(url: string, isTTY: boolean) {
    const output = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 40 })
    output.on('data', (data) => {
      this.output += data
      this.#written.emit('more')
    })
    this.ended = simulate({ url, token: 't', email: 'ann@example.com', wordMs: 0, input: this.#keys, output })
    this.ended.catch(() => {})
  }

  type(...lines: string[]): void {
    for (const line of lines) this.#keys.write(`${line}\n`)
  }

  hangUp(): void {
    this.#keys.end()
  }

  /** Waits until the output written since the last such wait matches. */
  async shows(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.output))
      await once(this.#written, 'more', { signal: AbortSignal.timeout(5_000) })
    this.output = ''
  }
}

async function atTheKeys(
  t: TestContext,
  { isTTY = false, ...options }: FakeCloudOptions & { isTTY?: boolean } = {},
): Promise<[Session, ClientConnection]> {
  const cloud = await FakeCloud.open(t, options)
  const session = new Session(cloud.url, isTTY)
  t.after(() => session.hangUp())
  const connection = await cloud.connection(0)
  await session.shows(/Type help/)
  return [session, connection]
}

const show = (text: string) => ({
  type: 'display_event',
  view: 'main',
  layout: { layoutType: 'text_wall', text },
})

describe('Terminal program', () => {
  test('SIM-65: a cloud that does not answer is told before the time is up', async (t) => {
    let calls = 0
    const server = createServer((socket) => {
      socket.on('error', () => {}).resume()
      if (calls++ === 0) socket.destroy()
      else socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n')
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const session = new Session(url, false)
    await session.shows(
      /^http:\/\/127\.0\.0\.1:\d+ does not answer \(.*\b(hang up|ECONNRESET)\b.*\); still trying\n$/,
    )
    await assert.rejects(session.ended, /^Error: Could not connect: .*401/)
    assert.equal(session.output, '')
  })

  test('SIM-60: boxes and state lines', async (t) => {
    const [session, connection] = await atTheKeys(t)
    connection.send(show('words'))
    await session.shows(/╭─+╮\n│ words +│\n(│ +│\n)+╰─+╯\n/)
    connection.send({ type: 'microphone_state_change', requiredData: ['pcm'] })
    await session.shows(/\[connected · microphone on · apps: none\]/)
    connection.send({ type: 'app_state_change', activeApps: ['b.c', 'a.b'] })
    await session.shows(/\[connected · microphone on · apps: a\.b, b\.c\]/)
  })

  test('SIM-61: the glasses do what is typed', async (t) => {
    const [session, connection] = await atTheKeys(t)
    session.type(
      'button left long',
      'head up',
      'touch single_tap',
      'vad on',
      'battery 40',
      'wear Mentra Live',
    )
    session.type('say hello there', 'photo fail', 'wait words', 'lose')
    await session.shows(/microphone is off: no app listens/)
    await connection.frame('local_transcription')
    const sent = connection.received.map((frame) => ('type' in frame ? { ...frame, timestamp: 0 } : frame))
    const timestamp = 0
    assert.deepEqual(sent.slice(1, 6), [
      { type: 'button_press', buttonId: 'left', pressType: 'long', timestamp },
      { type: 'head_position', position: 'up', timestamp },
      { type: 'touch_event', device_model: 'Simulated Glasses', gesture_name: 'single_tap', timestamp },
      { type: 'VAD', status: true, timestamp },
      { type: 'glasses_battery_update', level: 40, charging: false, timestamp },
    ])
    assert.equal(connection.frames('glasses_connection_state').at(-1)?.modelName, 'Mentra Live')
    connection.send({ type: 'photo_request', requestId: 'r1' })
    await session.shows(/could not take a photo: The camera is busy/)
    connection.send({ ...show('words'), view: 'dashboard' })
    await session.shows(/trying again in/)
  })

  test('SIM-61 SIM-64: sounds, light, Wi-Fi and the place', async (t) => {
    const [session, connection] = await atTheKeys(t)
    session.type(
      'wear Mentra Live',
      'speaker fail',
      'place 48.1, 11.5',
      'wifi home',
      'wifi off',
      'place 91 0',
    )
    await session.shows(/Usage: place LATITUDE LONGITUDE/)
    const { lat, lng } = await connection.frame('location_update')
    assert.deepEqual([lat, lng], [48.1, 11.5])
    while (connection.frames('glasses_connection_state').length < 4)
      await once(connection, 'frame', { signal: AbortSignal.timeout(5_000) })
    assert.deepEqual(
      connection.frames('glasses_connection_state').map(({ wifi }) => wifi),
      [undefined, undefined, { connected: true, ssid: 'home' }, { connected: false }],
    )
    connection.send({ type: 'audio_play_request', requestId: 'r1', audioUrl: 'http://127.0.0.1:1/' })
    await session.shows(/could not play a sound: The speaker is broken/)
    connection.send({ type: 'rgb_led_control', requestId: 'r2', action: 'on', color: 'blue' })
    await session.shows(/the light goes blue/)
    connection.send({ type: 'show_wifi_setup', reason: 'To stream' })
    await session.shows(/an app asks for Wi-Fi: To stream/)
    session.type('speaker on', 'led fail', 'led on', 'speaker loud', 'led off')
    await session.shows(/Usage: speaker on\|fail\|off/)
    connection.send({ type: 'audio_play_request', requestId: 'r3', audioUrl: 'http://127.0.0.1:1/' })
    await session.shows(/could not play a sound: The address of the sound cannot be reached/)
    connection.send({ type: 'request_single_location', correlationId: 'poll1', accuracy: 'high' })
    while (connection.frames('location_update').length < 2)
      await once(connection, 'frame', { signal: AbortSignal.timeout(5_000) })
    assert.equal(connection.frames('location_update')[1]?.correlationId, 'poll1')
  })

  test('SIM-61: the phone does what is typed', async (t) => {
    const calls: string[] = []
    const [session] = await atTheKeys(t, {
      onRequest: (request, response) => {
        calls.push(`${request.method} ${request.url}`)
        if (request.url?.endsWith('/start')) response.statusCode = 404
        const message = 'App not found'
        const data = [{ packageName: 'a.b', name: 'Captions', is_running: true }]
        response.end(JSON.stringify({ success: true, message, data }))
      },
    })
    session.type('install a.b', 'start a.b', 'stop a.b', 'apps')
    await session.shows(/App not found\nrunning {4}a\.b {2}Captions\n/)
    assert.deepEqual(calls.slice(0, 3), [
      'POST /api/apps/install/a.b',
      'POST /api/apps/a.b/start',
      'POST /api/apps/a.b/stop',
    ])
  })

  test('SIM-56 SIM-61: the format of sound is typed', async (t) => {
    const said: string[] = []
    const [session] = await atTheKeys(t, {
      onRequest: (request, response) => {
        request.on('data', (data) => said.push(String(data)))
        request.on('end', () => response.end('{}'))
      },
    })
    session.type('sound lc3 40', 'sound pcm', 'sound lc3 41', 'sound', 'sound lc3 20 20', 'sound lc3')
    await session.shows(/(Usage: sound pcm\|lc3.*){3}/s)
    session.type('help')
    await session.shows(/quit/)
    assert.deepEqual(
      said.map((body) => JSON.parse(body).lc3Config?.frameSizeBytes),
      [40, undefined, 20],
    )
  })

  test('SIM-61: what is typed wrongly is answered', async (t) => {
    const [session] = await atTheKeys(t)
    session.type('dance', 'constructor', '', 'head sideways', 'battery 101', 'say', 'audio /nowhere.wav')
    await session.shows(
      /There is no "dance"; try help\nThere is no "constructor"; try help\nUsage: head up\|down\nUsage: battery PERCENT\n.*Usage: say TEXT\n.*nowhere\.wav: ENOENT/s,
    )
    session.type('help')
    await session.shows(/say TEXT +speak.*quit +leave/s)
  })

  test('SIM-62: quit, the end of the input and a final close end it', async (t) => {
    const [first, connection] = await atTheKeys(t)
    const gone = once(connection, 'gone')
    first.type('quit')
    await first.ended
    await gone

    const [second] = await atTheKeys(t)
    second.hangUp()
    await second.ended

    const [third, taken] = await atTheKeys(t)
    taken.socket.close(4409, 'Taken over')
    await third.shows(/connection lost: Taken over \(4409\)/)
    await third.ended
  })

  test('SIM-62: a refusal is an error', async (t) => {
    const cloud = await FakeCloud.open(t, {
      reject: { status: 401, body: '{"message":"The token is not valid"}' },
    })
    await assert.rejects(new Session(cloud.url, false).ended, /The token is not valid/)
  })

  test('SIM-63: in a terminal the lens is redrawn and the typed line kept', async (t) => {
    const [session, connection] = await atTheKeys(t, { isTTY: true })
    connection.send(show('words'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the control sequences are what is looked for
    await session.shows(/\u001B\[1;1H\u001B\[0J╭─+╮\r?\n│ words .*connected · microphone off.*> /s)
    session.type('quit')
    await session.ended
  })
})
