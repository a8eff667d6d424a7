import { type CloudToGlasses, OS_SETTING_DEFAULTS } from '@glasses-cloud/contract'
import type { Examples } from './index.ts'

const timestamp = '2026-01-31T12:00:00.000Z'
const sessionId = 'us1'
const packageName = 'dev.example.table'
const userId = 'ann@example.org'

const userSession = {
  userId,
  startTime: timestamp,
  activeAppSessions: [packageName],
  loadingApps: [],
  appSubscriptions: { [packageName]: ['button_press'] },
  requiresAudio: false,
  minimumTranscriptionLanguages: [],
  isTranscribing: false,
}

const start = {
  sessionId,
  appId: packageName,
  streamId: 's1a2b3c4d5',
  video: { width: 1280 },
  audio: {},
  stream: {},
  timestamp,
}
const stop = { sessionId, appId: packageName, streamId: 's1a2b3c4d5', timestamp }
const alive = { streamId: 's1a2b3c4d5', ackId: 'a1b2c3', timestamp }
const status = { streamId: 's1a2b3c4d5', status: 'active', appId: '__phone__', timestamp } as const
const output = { sessionId, appId: packageName, packageName, timestamp }

/** One message of each type that the cloud may send to glasses (glasses-socket.md §2.2). */
export const toGlasses: Examples<CloudToGlasses> = {
  connection_ack: { sessionId, userId, userSession, timestamp },
  connection_error: { code: 'MALFORMED_MESSAGE', message: 'The message is not JSON', timestamp },
  ping: {},
  pong: {},
  app_state_change: {
    sessionId,
    userId,
    activeApps: [packageName],
    loadingApps: [],
    apps: [{ packageName, state: 'running', since: timestamp }],
    revision: 3,
    userSession,
    timestamp,
  },
  app_started: { packageName, timestamp },
  app_stopped: { packageName, reason: 'user_disabled', timestamp },
  display_event: { packageName, view: 'main', layout: { layoutType: 'text_wall', text: 'Hello' }, timestamp },
  photo_request: {
    ...output,
    requestId: 'photo_req_1_a',
    webhookUrl: 'https://cloud.example.org/api/photos/upload',
    authToken: 'token',
    saveToGallery: true,
    size: 'medium',
    compress: 'none',
  },
  microphone_state_change: {
    sessionId,
    isMicrophoneEnabled: true,
    requiredData: ['pcm'],
    bypassVad: true,
    timestamp,
  },
  start_rtmp_stream: { ...start, rtmpUrl: 'rtmp://stream.example.org/live/key' },
  start_stream: { ...start, streamUrl: 'rtmp://stream.example.org/live/key' },
  stop_rtmp_stream: stop,
  stop_stream: stop,
  keep_rtmp_stream_alive: alive,
  keep_stream_alive: alive,
  audio_play_request: {
    ...output,
    requestId: 'audio_req_1_a',
    audioUrl: 'https://example.org/sound.mp3',
    volume: 1,
    stopOtherAudio: true,
    trackId: 0,
  },
  audio_stop_request: { ...output, trackId: 2 },
  rgb_led_control: {
    ...output,
    requestId: 'led_req_1_a',
    action: 'on',
    color: 'red',
    ontime: 1_000,
    offtime: 0,
    count: 1,
  },
  show_wifi_setup: { reason: 'To stream', appPackageName: packageName, timestamp },
  settings_update: {
    sessionId,
    settings: { ...OS_SETTING_DEFAULTS },
    success: true,
    message: 'Settings',
    timestamp,
  },
  augmentos_settings_update_error: {
    success: false,
    message: 'The settings could not be stored',
    timestamp,
  },
  set_location_tier: { tier: 'reduced', timestamp },
  request_single_location: { accuracy: 'high', correlationId: 'poll_1_a', timestamp },
  data_stream: {
    streamType: 'button_press',
    data: { type: 'button_press', buttonId: 'main', pressType: 'short' },
    sessionId,
    timestamp,
  },
  rtmp_stream_status: status,
  stream_status: status,
  managed_stream_status: { streamId: 's1a2b3c4d5', status: 'error', code: 'X', message: 'No', timestamp },
  transcription_status: {
    status: 'unavailable',
    stream: 'transcription:en-US',
    language: 'en-US',
    reason: 'provider_unavailable',
    message: 'wyoming does not respond',
    timestamp,
  },
}
