import type { Dialect } from '@glasses-cloud/contract'
import { fromApp, fromGlasses } from './message-examples/index.ts'
import { type MessageRig, narrowPackage, SocketClient, tablePackage } from './message-rig.ts'

/** Two users, the glasses of the first and the app that both use. */
interface Participants {
  readonly email: string
  readonly glasses: SocketClient
  readonly app: SocketClient
  readonly otherEmail: string
  readonly otherApp: SocketClient
}

/**
 * Makes the cloud send every message type: runs glasses and apps through all features. Each step waits for the messages
 * it causes; the sent types are in the recording of the cloud's sockets.
 */
export async function runWalkthrough(
  scope: { after(undo: () => unknown): void },
  rig: MessageRig,
  dialect: Dialect,
): Promise<void> {
  const email = `ann-${dialect}@example.org`
  const otherEmail = `bob-${dialect}@example.org`
  const glasses = await rig.connectGlasses(scope, email, dialect)
  const app = await rig.startApp(scope, glasses, email, dialect)
  const otherGlasses = await rig.connectGlasses(scope, otherEmail, dialect)
  const otherApp = await rig.startApp(scope, otherGlasses, otherEmail, dialect)
  const phone = await SocketClient.open(
    scope,
    `${rig.cloud.wsUrl}/glasses-ws?udpEncryption=true&token=${await rig.cloud.token(`cy-${dialect}@example.org`)}`,
    dialect,
    { type: 'connection_init' },
  )
  const participants: Participants = { email, glasses, app, otherEmail, otherApp }
  await connection(participants)
  await speech(participants)
  await outputs(participants)
  await streams(participants)
  await appMessages(participants)
  await settings(rig, participants)
  await miniApps(participants)
  await rejections(scope, rig, participants, dialect)
  await stop(rig, participants)
  await phone.waitForMessage('ping')
  const stopped = await rig.reconnectApp(scope, `nobody-${dialect}@example.org`, dialect, tablePackage)
  await stopped.waitForMessage('reconnect_rejected')
}

/** Connection, device state, events and audio. */
async function connection({ glasses, app }: Participants): Promise<void> {
  await glasses.waitForMessage('app_started')
  app.send({ type: 'ping' })
  await app.waitForMessage('pong')
  glasses.send({ type: 'ping' })
  await glasses.waitForMessage('pong')
  glasses.send({ type: 'glasses_connection_state', ...fromGlasses.glasses_connection_state })
  await app.waitForMessage('capabilities_update', ({ modelName }) => modelName === 'Mentra Live')
  await app.waitForMessage('device_state_update')
  const locationStream = { stream: 'location_stream', rate: 'high' }
  app.send({ type: 'subscription_update', subscriptions: ['audio_chunk', 'button_press', locationStream] })
  await glasses.waitForMessage(
    'microphone_state_change',
    ({ isMicrophoneEnabled }) => isMicrophoneEnabled === true,
  )
  await glasses.waitForMessage('set_location_tier', ({ tier }) => tier === 'high')
  glasses.send({ type: 'button_press', ...fromGlasses.button_press })
  await app.waitForMessage('data_stream', ({ streamType }) => streamType === 'button_press')
  glasses.socket.send(Buffer.alloc(320))
  await app.waitUntil(() => app.audio.length > 0, 'audio')
}

/** A translation that no provider can deliver. */
async function speech({ glasses, app }: Participants): Promise<void> {
  app.send({ type: 'subscription_update', subscriptions: ['translation:en-US-to-de-DE'] })
  await glasses.waitForMessage('microphone_state_change', ({ requiredData }) =>
    String(requiredData).includes('transcription'),
  )
  glasses.send({ type: 'local_transcription', ...fromGlasses.local_transcription })
  await glasses.waitForMessage('transcription_status')
  await app.waitForMessage('data_stream', ({ streamType }) => streamType === 'transcription_status')
}

/** Displays, audio, lights, photos and their responses. */
async function outputs({ glasses, app }: Participants): Promise<void> {
  app.send({ type: 'display_event', ...fromApp.display_event })
  await glasses.waitForMessage('display_event', ({ packageName }) => packageName === tablePackage)
  app.send({ type: 'audio_play_request', ...fromApp.audio_play_request })
  const { requestId } = await glasses.waitForMessage('audio_play_request')
  glasses.send({ type: 'audio_play_response', requestId, success: true, error: null, duration: 1 })
  await app.waitForMessage('audio_play_response')
  app.send({ type: 'audio_stop_request' })
  await glasses.waitForMessage('audio_stop_request')
  app.send({ type: 'rgb_led_control', ...fromApp.rgb_led_control })
  const ledRequest = await glasses.waitForMessage('rgb_led_control')
  glasses.send({ type: 'rgb_led_control_response', requestId: ledRequest.requestId, success: true })
  await app.waitForMessage('rgb_led_control_response')
  app.send({ type: 'request_wifi_setup' })
  await glasses.waitForMessage('show_wifi_setup')
  app.send({ type: 'photo_request', ...fromApp.photo_request })
  await glasses.waitForMessage('photo_request')
  app.send({ type: 'location_poll_request', ...fromApp.location_poll_request })
  await glasses.waitForMessage('request_single_location')
  app.send({ type: 'dashboard_mode_change', mode: 'expanded' })
  await app.waitForMessage('dashboard_mode_changed', ({ mode }) => mode === 'expanded')
}

/** An RTMP stream to an address, then a managed stream. */
async function streams({ glasses, app }: Participants): Promise<void> {
  app.send({ type: 'rtmp_stream_request', ...fromApp.rtmp_stream_request })
  const { streamId } = await glasses.waitForMessage('start_rtmp_stream')
  await glasses.waitForMessage('start_stream')
  glasses.send({ type: 'rtmp_stream_status', streamId, status: 'streaming' })
  await app.waitForMessage('rtmp_stream_status', ({ status }) => status === 'active')
  const { ackId } = await glasses.waitForMessage('keep_rtmp_stream_alive')
  await glasses.waitForMessage('keep_stream_alive')
  glasses.send({ type: 'keep_alive_ack', streamId, ackId })
  app.send({ type: 'stream_status_check' })
  await app.waitForMessage('stream_status_check_response', ({ hasActiveStream }) => hasActiveStream === true)
  app.send({ type: 'rtmp_stream_stop' })
  await glasses.waitForMessage('stop_rtmp_stream')
  await glasses.waitForMessage('stop_stream')
  app.send({ type: 'stream_request', ...fromApp.stream_request })
  await app.waitForMessage('stream_status', ({ status }) => status === 'initializing')
  app.send({ type: 'stream_stop' })
  await app.waitForMessage('stream_status', ({ status }) => status === 'stopped')
  app.send({ type: 'managed_stream_request', ...fromApp.managed_stream_request })
  await app.waitForMessage('managed_stream_status', ({ status }) => status === 'initializing')
  app.send({ type: 'managed_stream_stop' })
  await app.waitForMessage('managed_stream_status', ({ status }) => status === 'stopped')
}

/** Messages between the two users of the app. */
async function appMessages({ app, otherApp, otherEmail }: Participants): Promise<void> {
  const roomId = `room of ${otherEmail}`
  app.send({ type: 'app_room_join', ...fromApp.app_room_join, roomId })
  await app.waitForMessage('app_room_updated')
  otherApp.send({ type: 'app_room_join', roomId })
  await app.waitForMessage('app_user_joined')
  app.send({ type: 'app_direct_message', messageId: 'm1', payload: 'hello', targetUserId: otherEmail })
  await otherApp.waitForMessage('app_message_received')
  await app.waitForMessage('app_direct_message_response')
  otherApp.send({ type: 'app_room_leave', roomId })
  await app.waitForMessage('app_user_left')
}

/** Changed settings, and the date and time of the phone. */
async function settings({ cloud }: MessageRig, { email, glasses, app }: Participants): Promise<void> {
  const token = await cloud.token(email)
  await cloud.request('POST', `/appsettings/${tablePackage}`, { token, body: [{ key: 'bold', value: true }] })
  await app.waitForMessage('settings_update')
  await cloud.request('PUT', '/api/client/user/settings', { token, body: { settings: { brightness: 77 } } })
  await app.waitForMessage('augmentos_settings_update')
  const datetime = new Date().toISOString()
  await cloud.request('POST', '/api/user-data/set-datetime', { body: { coreToken: token, datetime } })
  await app.waitForMessage('custom_message')
  glasses.send({ type: 'request_settings' })
  await glasses.waitForMessage('settings_update')
}

/** Subscriptions and streams of mini-apps on the phone. */
async function miniApps({ glasses }: Participants): Promise<void> {
  glasses.send({ type: 'phone_subscription_update', subscriptions: ['button_press'] })
  glasses.send({ type: 'button_press', ...fromGlasses.button_press })
  await glasses.waitForMessage('data_stream')
  glasses.send({ type: 'stream_request', ...fromGlasses.stream_request })
  await glasses.waitForMessage('rtmp_stream_status')
  await glasses.waitForMessage('stream_status')
  glasses.send({ type: 'stream_stop' })
  glasses.send({ type: 'managed_stream_request' })
  await glasses.waitForMessage('managed_stream_status')
  glasses.send({ type: 'managed_stream_stop' })
}

/** Invalid messages and missing permissions. */
async function rejections(
  scope: { after(undo: () => unknown): void },
  rig: MessageRig,
  { email, glasses, app }: Participants,
  dialect: Dialect,
): Promise<void> {
  glasses.send({ type: 'button_press' })
  await glasses.waitForMessage('connection_error')
  app.send({ type: 'display_event' })
  await app.waitForMessage('tpa_connection_error')
  const narrow = await rig.startApp(scope, glasses, email, dialect, narrowPackage)
  narrow.send({ type: 'subscription_update', subscriptions: ['calendar_event'] })
  await narrow.waitForMessage('permission_error')
  narrow.send({ type: 'photo_request', ...fromApp.photo_request })
  await narrow.waitForMessage('photo_response')
}

/** The app is stopped; then a database failure makes a settings update fail. */
async function stop({ cloud }: MessageRig, { glasses, app }: Participants): Promise<void> {
  glasses.send({ type: 'stop_app', packageName: tablePackage })
  await app.waitForMessage('app_stopped')
  await glasses.waitForMessage('app_stopped')
  await glasses.waitForMessage('app_state_change')
  await cloud.cloud.db.schema.alterTable('user_settings').renameTo('lost_settings').execute()
  glasses.send({ type: 'core_status_update', ...fromGlasses.core_status_update })
  await glasses.waitForMessage('augmentos_settings_update_error')
  await cloud.cloud.db.schema.alterTable('lost_settings').renameTo('user_settings').execute()
}
