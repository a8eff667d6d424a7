import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { simulate } from '../src/terminal/index.ts'
import { type ClientConnection, FakeCloud, type FakeCloudOptions } from './support/fake-cloud.ts'

/** The terminal program with scripted input; collects its output. */
class TerminalSession {
  readonly #input = new PassThrough()
  readonly #outputEvents = new EventEmitter<{ data: [] }>()
  readonly ended: Promise<void>
  output = ''

  constructor(url: string, isTTY: boolean) {
    const output = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 40 })
    output.on('data', (data) => {
      this.output += data
      this.#outputEvents.emit('data')
    })
    this.ended = simulate({
      url,
      token: 't',
      email: 'ann@example.com',
      wordMs: 0,
      input: this.#input,
      output,
    })
    this.ended.catch(() => {})
  }

  type(...lines: string[]): void {
    for (const line of lines) this.#input.write(`${line}\n`)
  }

  endInput(): void {
    this.#input.end()
  }

  /** Waits until the output since the last call matches. */
  async waitForOutput(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.output))
      await once(this.#outputEvents, 'data', { signal: AbortSignal.timeout(20_000) })
    this.output = ''
  }
}

async function startSession(
  t: TestContext,
  { isTTY = false, ...options }: FakeCloudOptions & { isTTY?: boolean } = {},
): Promise<[TerminalSession, ClientConnection]> {
  const cloud = await FakeCloud.start(t, options)
  const session = new TerminalSession(cloud.url, isTTY)
  t.after(() => session.endInput())
  const connection = await cloud.connection(0)
  await session.waitForOutput(/Type help for a list/)
  return [session, connection]
}

const displayEvent = (text: string) => ({
  type: 'display_event',
  view: 'main',
  layout: { layoutType: 'text_wall', text },
})

describe('Terminal program', () => {
  test('an unreachable cloud is reported before the deadline', async (t) => {
    let calls = 0
    const server = createServer((socket) => {
      socket.on('error', () => {}).resume()
      if (calls++ === 0) socket.destroy()
      else socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n')
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const session = new TerminalSession(url, false)
    await session.waitForOutput(
      /^Cannot reach http:\/\/127\.0\.0\.1:\d+ \(.*\b(hang up|ECONNRESET)\b.*\); retrying …\n$/,
    )
    await assert.rejects(session.ended, /^Error: Could not connect: .*401/)
    assert.equal(session.output, '')
  })

  test('prints boxes and state lines', async (t) => {
    const [session, connection] = await startSession(t)
    connection.send(displayEvent('words'))
    await session.waitForOutput(/╭─+╮\n│ words +│\n(│ +│\n)+╰─+╯\n/)
    connection.send({ type: 'microphone_state_change', requiredData: ['pcm'] })
    await session.waitForOutput(/\[connected · microphone on · apps: none\]/)
    connection.send({ type: 'app_state_change', activeApps: ['b.c', 'a.b'] })
    await session.waitForOutput(/\[connected · microphone on · apps: a\.b, b\.c\]/)
  })

  test('runs the commands of the glasses', async (t) => {
    const [session, connection] = await startSession(t)
    session.type(
      'button left long',
      'head up',
      'touch single_tap',
      'vad on',
      'battery 40',
      'wear Mentra Live',
    )
    session.type('say hello there')
    await session.waitForOutput(/Not sent: no app is subscribed to transcriptions/)
    assert.deepEqual(connection.frames('local_transcription'), [])
    connection.send({ type: 'microphone_state_change', requiredData: ['transcription'] })
    await session.waitForOutput(/microphone on/)
    session.type('say hello there', 'photo fail', 'wait words', 'lose')
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
    await session.waitForOutput(/Photo failed: The camera is busy/)
    connection.send({ ...displayEvent('words'), view: 'dashboard' })
    await session.waitForOutput(/Reconnecting in/)
  })

  test('prints audio, LED and Wi-Fi requests, and controls how the glasses respond', async (t) => {
    const [session, connection] = await startSession(t)
    session.type(
      'wear Mentra Live',
      'speaker fail',
      'place 48.1, 11.5',
      'wifi home',
      'wifi off',
      'place 91 0',
    )
    await session.waitForOutput(/Usage: place LATITUDE LONGITUDE/)
    const { lat, lng } = await connection.frame('location_update')
    assert.deepEqual([lat, lng], [48.1, 11.5])
    while (connection.frames('glasses_connection_state').length < 4)
      await once(connection, 'frame', { signal: AbortSignal.timeout(20_000) })
    assert.deepEqual(
      connection.frames('glasses_connection_state').map(({ wifi }) => wifi),
      [undefined, undefined, { connected: true, ssid: 'home' }, { connected: false }],
    )
    connection.send({ type: 'audio_play_request', requestId: 'r1', audioUrl: 'http://127.0.0.1:1/' })
    await session.waitForOutput(/Audio failed: The speaker does not work/)
    connection.send({ type: 'rgb_led_control', requestId: 'r2', action: 'on', color: 'blue' })
    await session.waitForOutput(/LED blue/)
    connection.send({ type: 'show_wifi_setup', reason: 'To stream' })
    await session.waitForOutput(/An app requests Wi-Fi: To stream/)
    session.type('speaker on', 'led fail', 'led on', 'speaker loud', 'led off')
    await session.waitForOutput(/Usage: speaker on\|fail\|off/)
    connection.send({ type: 'audio_play_request', requestId: 'r3', audioUrl: 'http://127.0.0.1:1/' })
    await session.waitForOutput(/Audio failed: The audio URL is unreachable/)
    connection.send({ type: 'request_single_location', correlationId: 'poll1', accuracy: 'high' })
    while (connection.frames('location_update').length < 2)
      await once(connection, 'frame', { signal: AbortSignal.timeout(20_000) })
    assert.equal(connection.frames('location_update')[1]?.correlationId, 'poll1')
  })

  test('runs the commands of the phone', async (t) => {
    const calls: string[] = []
    const [session] = await startSession(t, {
      onRequest: (request, response) => {
        calls.push(`${request.method} ${request.url}`)
        if (request.url?.endsWith('/start')) response.statusCode = 404
        const message = 'App not found'
        const data = [{ packageName: 'a.b', name: 'Captions', is_running: true }]
        response.end(JSON.stringify({ success: true, message, data }))
      },
    })
    session.type('install a.b', 'start a.b', 'stop a.b', 'apps')
    await session.waitForOutput(/App not found\nrunning {4}a\.b {2}Captions\n/)
    assert.deepEqual(calls.slice(0, 3), [
      'POST /api/apps/install/a.b',
      'POST /api/apps/a.b/start',
      'POST /api/apps/a.b/stop',
    ])
  })

  test('SIM-56: sets the audio format', async (t) => {
    const bodies: string[] = []
    const [session] = await startSession(t, {
      onRequest: (request, response) => {
        request.on('data', (data) => bodies.push(String(data)))
        request.on('end', () => response.end('{}'))
      },
    })
    session.type('sound lc3 40', 'sound pcm', 'sound lc3 41', 'sound', 'sound lc3 20 20', 'sound lc3')
    await session.waitForOutput(/(Usage: sound pcm\|lc3.*){3}/s)
    session.type('help')
    await session.waitForOutput(/quit/)
    assert.deepEqual(
      bodies.map((body) => JSON.parse(body).lc3Config?.frameSizeBytes),
      [40, undefined, 20],
    )
  })

  test('reports unknown commands and invalid arguments', async (t) => {
    const [session] = await startSession(t)
    session.type('dance', 'constructor', '', 'head sideways', 'battery 101', 'say', 'audio /nowhere.wav')
    await session.waitForOutput(
      /Unknown command "dance"\. Type help for a list\.\nUnknown command "constructor"\. .*\nUsage: head up\|down\nUsage: battery PERCENT\n.*Usage: say TEXT\n.*nowhere\.wav: ENOENT/s,
    )
    session.type('help')
    await session.waitForOutput(/say TEXT +speak.*quit +disconnect and exit/s)
  })

  test('ends with quit, the end of the input, and a final close', async (t) => {
    const [first, connection] = await startSession(t)
    const closed = once(connection, 'closed')
    first.type('quit')
    await first.ended
    await closed

    const [second] = await startSession(t)
    second.endInput()
    await second.ended

    const [third, taken] = await startSession(t)
    taken.socket.close(4409, 'Taken over')
    await third.waitForOutput(/Connection closed: Taken over \(4409\)/)
    await third.ended
  })

  test('fails if the cloud rejects the connection', async (t) => {
    const cloud = await FakeCloud.start(t, {
      reject: { status: 401, body: '{"message":"The token is not valid"}' },
    })
    await assert.rejects(new TerminalSession(cloud.url, false).ended, /The token is not valid/)
  })

  test('redraws the display in place while a line is typed', async (t) => {
    const [session, connection] = await startSession(t, { isTTY: true })
    connection.send(displayEvent('words'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test expects control sequences
    await session.waitForOutput(/\u001B\[1;1H\u001B\[0J╭─+╮\r?\n│ words .*connected · microphone off.*> /s)
    session.type('quit')
    await session.ended
  })
})
