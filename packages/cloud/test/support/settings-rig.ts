import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import type { Env } from '../../src/config/index.ts'
import { type AppServer, startAppServer } from './app-server.ts'
import { startCloud } from './test-cloud.ts'

/** The user of the rig. */
export const email = 'ann-marie@example.com'
/** The package name of the app. */
export const packageName = 'dev.my-app.settings'

const options = [
  { label: 'Small', value: 's' },
  { label: 'Big', value: 'b' },
]

/** The declared settings of the app: one of each type. */
export const declared = [
  { type: 'group', title: 'Looks' },
  { type: 'toggle', key: 'bold', label: 'Bold', defaultValue: false },
  { type: 'text', key: 'name', label: 'Name' },
  { type: 'text_no_save_button', key: 'nick', label: 'Nick', defaultValue: 'n' },
  { type: 'select', key: 'size', label: 'Size', options, defaultValue: 's' },
  { type: 'select_with_search', key: 'font', label: 'Font', options, defaultValue: 'b' },
  { type: 'multiselect', key: 'parts', label: 'Parts', options, defaultValue: [] },
  { type: 'slider', key: 'speed', label: 'Speed', min: 1, max: 9, defaultValue: 5 },
  { type: 'numeric_input', key: 'count', label: 'Count', min: 0 },
  { type: 'time_picker', key: 'alarm', label: 'Alarm' },
  { type: 'titleValue', label: 'Version', value: '1.2' },
]

/** A JSON object. */
export type Body = Record<string, unknown>

/** Starts a cloud with a user and an app that declares settings. */
export async function startWithSettings(t: TestContext, env: Env = {}) {
  const cloud = await startCloud(t, { env })
  const server = await startAppServer(t, packageName)
  server.apiKey = (
    await cloud.registerApp({ packageName, publicUrl: server.url, name: 'Set me', settings: declared })
  ).apiKey
  const token = await cloud.token(email)
  const request = (method: string, path: string, body?: unknown, as: string | undefined = token) =>
    cloud.request<Body>(method, path, { token: as, body })
  const page = async () => {
    const { body } = await request('GET', `/appsettings/${packageName}`)
    const settings = body.settings as Body[]
    return Object.fromEntries(settings.flatMap(({ key, selected }) => (key ? [[key, selected]] : [])))
  }
  const save = (body: unknown) => request('POST', `/appsettings/${packageName}`, body)
  return { cloud, server, token, request, page, save, phone: new PhoneApi({ url: cloud.url, token }) }
}

/** Records the messages received on an app socket. */
class AppSocketRecorder {
  readonly received: Body[] = []
  readonly socket: WebSocket

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.received.push(JSON.parse(String(data))))
  }

  async wait(type: string, count = 1): Promise<Body[]> {
    const signal = AbortSignal.timeout(20_000)
    for (;;) {
      const found = this.received.filter((message) => message.type === type)
      if (found.length >= count) return found
      await once(this.socket, 'message', { signal })
    }
  }
}

/** Starts the app and connects its socket. */
export async function startApp(
  t: TestContext,
  { cloud, server, token, phone }: Awaited<ReturnType<typeof startWithSettings>>,
) {
  const glasses = new Glasses({ url: cloud.url, token, model: null, reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  await phone.startApp(packageName)
  const { sessionId } = await server.called('session_request')
  const socket = new WebSocket(`${cloud.wsUrl}/app-ws`)
  t.after(() => socket.terminate())
  const appSocket = new AppSocketRecorder(socket)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName, apiKey: server.apiKey }))
  const [ack] = await appSocket.wait('tpa_connection_ack')
  return { glasses, appSocket, sessionId, ack }
}

/** The settings webhooks that an app server received. */
export const settingsCalls = ({ calls }: AppServer) =>
  (calls as unknown as Body[]).filter(({ userIdForSettings }) => userIdForSettings !== undefined)

/** Waits until a condition is true. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(20_000)
  while (!condition()) {
    signal.throwIfAborted()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
