import type { Dialect } from '@glasses-cloud/contract'
import { fromApp, fromGlasses } from './message-examples/index.ts'
import { type MessageWorld, narrowPackage, type Speaker, tablePackage } from './message-world.ts'

/** Two wearers, their glasses and the app that both of them use. */
interface Cast {
  readonly email: string
  readonly glasses: Speaker
  readonly app: Speaker
  readonly otherEmail: string
  readonly otherApp: Speaker
}

/**
 * Leads wearers and apps through all that the cloud has something to say to. Each step waits for what it is about;
 * what came is in what the speakers heard, and in what was seen on the cloud's sockets.
 */
export async function converse(
  scope: { after(undo: () => unknown): void },
  world: MessageWorld,
  dialect: Dialect,
): Promise<void> {
  const email = `ann-${dialect}@example.org`
  const otherEmail = `bob-${dialect}@example.org`
  const glasses = await world.wear(scope, email, dialect)
  const app = await world.run(scope, glasses, email, dialect)
  const otherGlasses = await world.wear(scope, otherEmail, dialect)
  const otherApp = await world.run(scope, otherGlasses, otherEmail, dialect)
  const cast: Cast = { email, glasses, app, otherEmail, otherApp }
  await beginning(cast)
  await outputs(cast)
  await streams(cast)
  await eachOther(cast)
  await settings(world, cast)
  await miniApps(cast)
  await refusals(scope, world, cast, dialect)
  await end(world, cast)
}

/** Connecting, the state of the glasses, events and sound. */
async function beginning({ glasses, app }: Cast): Promise<void> {
  await glasses.hears('app_started')
  glasses.say({ type: 'ping' })
  await glasses.hears('pong')
  glasses.say({ type: 'glasses_connection_state', ...fromGlasses.glasses_connection_state })
  await app.hears('capabilities_update', ({ modelName }) => modelName === 'Mentra Live')
  await app.hears('device_state_update')
  const everywhere = { stream: 'location_stream', rate: 'high' }
  app.say({ type: 'subscription_update', subscriptions: ['audio_chunk', 'button_press', everywhere] })
  await glasses.hears('microphone_state_change', ({ isMicrophoneEnabled }) => isMicrophoneEnabled === true)
  await glasses.hears('set_location_tier', ({ tier }) => tier === 'high')
  glasses.say({ type: 'button_press', ...fromGlasses.button_press })
  await app.hears('data_stream', ({ streamType }) => streamType === 'button_press')
  glasses.socket.send(Buffer.alloc(320))
  await app.until(() => app.sound.length > 0, 'sound')
}

/** What apps show and play, and what comes of it. */
async function outputs({ glasses, app }: Cast): Promise<void> {
  app.say({ type: 'display_event', ...fromApp.display_event })
  await glasses.hears('display_event', ({ packageName }) => packageName === tablePackage)
  app.say({ type: 'audio_play_request', ...fromApp.audio_play_request })
  const { requestId } = await glasses.hears('audio_play_request')
  glasses.say({ type: 'audio_play_response', requestId, success: true, error: null, duration: 1 })
  await app.hears('audio_play_response')
  app.say({ type: 'audio_stop_request' })
  await glasses.hears('audio_stop_request')
  app.say({ type: 'rgb_led_control', ...fromApp.rgb_led_control })
  const light = await glasses.hears('rgb_led_control')
  glasses.say({ type: 'rgb_led_control_response', requestId: light.requestId, success: true })
  await app.hears('rgb_led_control_response')
  app.say({ type: 'request_wifi_setup' })
  await glasses.hears('show_wifi_setup')
  app.say({ type: 'photo_request', ...fromApp.photo_request })
  await glasses.hears('photo_request')
  app.say({ type: 'location_poll_request', ...fromApp.location_poll_request })
  await glasses.hears('request_single_location')
  app.say({ type: 'dashboard_mode_change', mode: 'expanded' })
  await app.hears('dashboard_mode_changed', ({ mode }) => mode === 'expanded')
}

/** A stream of the app's own, then a managed one. */
async function streams({ glasses, app }: Cast): Promise<void> {
  app.say({ type: 'rtmp_stream_request', ...fromApp.rtmp_stream_request })
  const { streamId } = await glasses.hears('start_rtmp_stream')
  await glasses.hears('start_stream')
  glasses.say({ type: 'rtmp_stream_status', streamId, status: 'streaming' })
  await app.hears('rtmp_stream_status', ({ status }) => status === 'active')
  const { ackId } = await glasses.hears('keep_rtmp_stream_alive')
  await glasses.hears('keep_stream_alive')
  glasses.say({ type: 'keep_alive_ack', streamId, ackId })
  app.say({ type: 'stream_status_check' })
  await app.hears('stream_status_check_response', ({ hasActiveStream }) => hasActiveStream === true)
  app.say({ type: 'rtmp_stream_stop' })
  await glasses.hears('stop_rtmp_stream')
  await glasses.hears('stop_stream')
  app.say({ type: 'managed_stream_request', ...fromApp.managed_stream_request })
  await app.hears('managed_stream_status', ({ status }) => status === 'initializing')
  app.say({ type: 'managed_stream_stop' })
  await app.hears('managed_stream_status', ({ status }) => status === 'stopped')
}

/** The app talks to itself at the other wearer. */
async function eachOther({ app, otherApp, otherEmail }: Cast): Promise<void> {
  const roomId = `of ${otherEmail}`
  app.say({ type: 'app_room_join', ...fromApp.app_room_join, roomId })
  await app.hears('app_room_updated')
  otherApp.say({ type: 'app_room_join', roomId })
  await app.hears('app_user_joined')
  app.say({ type: 'app_direct_message', messageId: 'm1', payload: 'hello', targetUserId: otherEmail })
  await otherApp.hears('app_message_received')
  await app.hears('app_direct_message_response')
  otherApp.say({ type: 'app_room_leave', roomId })
  await app.hears('app_user_left')
}

/** The wearer sets something, and the phone says what time it is. */
async function settings({ cloud }: MessageWorld, { email, glasses, app }: Cast): Promise<void> {
  const token = await cloud.token(email)
  await cloud.request('POST', `/appsettings/${tablePackage}`, { token, body: [{ key: 'bold', value: true }] })
  await app.hears('settings_update')
  await cloud.request('PUT', '/api/client/user/settings', { token, body: { settings: { brightness: 77 } } })
  await app.hears('augmentos_settings_update')
  const datetime = new Date().toISOString()
  await cloud.request('POST', '/api/user-data/set-datetime', { body: { coreToken: token, datetime } })
  await app.hears('custom_message')
  glasses.say({ type: 'request_settings' })
  await glasses.hears('settings_update')
}

/** What mini-apps on the phone listen to and stream. */
async function miniApps({ glasses }: Cast): Promise<void> {
  glasses.say({ type: 'phone_subscription_update', subscriptions: ['button_press'] })
  glasses.say({ type: 'button_press', ...fromGlasses.button_press })
  await glasses.hears('data_stream')
  glasses.say({ type: 'stream_request', ...fromGlasses.stream_request })
  await glasses.hears('rtmp_stream_status')
  await glasses.hears('stream_status')
  glasses.say({ type: 'stream_stop' })
  glasses.say({ type: 'managed_stream_request' })
  await glasses.hears('managed_stream_status')
  glasses.say({ type: 'managed_stream_stop' })
}

/** What is not understood, and not allowed. */
async function refusals(
  scope: { after(undo: () => unknown): void },
  world: MessageWorld,
  { email, glasses, app }: Cast,
  dialect: Dialect,
): Promise<void> {
  glasses.say({ type: 'button_press' })
  await glasses.hears('connection_error')
  app.say({ type: 'display_event' })
  await app.hears('tpa_connection_error')
  const narrow = await world.run(scope, glasses, email, dialect, narrowPackage)
  narrow.say({ type: 'subscription_update', subscriptions: ['calendar_event'] })
  await narrow.hears('permission_error')
}

/** The app is stopped; and then the store fails, which no cloud survives unharmed. */
async function end({ cloud }: MessageWorld, { glasses, app }: Cast): Promise<void> {
  glasses.say({ type: 'stop_app', packageName: tablePackage })
  await app.hears('app_stopped')
  await glasses.hears('app_stopped')
  await glasses.hears('app_state_change')
  await cloud.cloud.db.schema.alterTable('user_settings').renameTo('lost_settings').execute()
  glasses.say({ type: 'core_status_update', ...fromGlasses.core_status_update })
  await glasses.hears('augmentos_settings_update_error')
  await cloud.cloud.db.schema.alterTable('lost_settings').renameTo('user_settings').execute()
}
