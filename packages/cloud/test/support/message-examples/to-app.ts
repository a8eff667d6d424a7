import { type CloudToApp, OS_SETTING_DEFAULTS } from '@glasses-cloud/contract'
import type { Examples } from './index.ts'

const timestamp = '2026-01-31T12:00:00.000Z'
const packageName = 'dev.example.table'
const sessionId = `us1-${packageName}`
const userId = 'ann@example.org'
const osSettings = { ...OS_SETTING_DEFAULTS }
const roomId = 'lobby'

/** One message of each type that the cloud may send to apps (app-socket.md §2.2). */
export const toApp: Examples<CloudToApp> = {
  tpa_connection_ack: {
    sessionId,
    settings: [{ key: 'bold', value: true }],
    mentraosSettings: osSettings,
    augmentosSettings: osSettings,
    capabilities: null,
    timestamp,
  },
  tpa_connection_error: {
    code: 'UNKNOWN_MESSAGE_TYPE',
    message: 'There is no message type x',
    correlationId: 'poll_1_a',
    timestamp,
  },
  reconnect_rejected: { code: 'NOT_RUNNING', message: 'The app was not started', timestamp },
  pong: {},
  app_stopped: { reason: 'user_disabled', sessionId, timestamp },
  data_stream: {
    streamType: 'transcription:en-US',
    data: {
      type: 'transcription',
      text: 'hello there',
      isFinal: true,
      utteranceId: 'u1',
      transcribeLanguage: 'en-US',
      detectedLanguage: 'en-US',
      startTime: 1_767_225_600_000,
      endTime: 1_767_225_600_900,
      speakerId: '0',
      duration: 900,
      provider: 'sherpa-onnx',
    },
    sessionId,
    timestamp,
  },
  capabilities_update: { capabilities: null, modelName: null, timestamp },
  device_state_update: {
    state: { connected: true, modelName: 'Mentra Live' },
    fullSnapshot: true,
    sessionId,
    timestamp,
  },
  permission_error: {
    message: 'A permission is missing',
    details: [{ stream: 'calendar_event', requiredPermission: 'CALENDAR', message: 'Declare CALENDAR' }],
    sessionId,
    timestamp,
  },
  rtmp_stream_status: { streamId: 's1a2b3c4d5', status: 'active', appId: packageName, timestamp },
  stream_status: { streamId: 's1a2b3c4d5', status: 'active', appId: packageName, timestamp },
  managed_stream_status: {
    streamId: 's1a2b3c4d5',
    status: 'active',
    hlsUrl: 'https://stream.example.org/video.m3u8',
    dashUrl: 'https://stream.example.org/video.mpd',
    webrtcUrl: 'https://stream.example.org/webrtc',
    outputs: [{ url: 'rtmp://stream.example.org/live/****', name: 'Mine', status: 'active' }],
    timestamp,
  },
  stream_status_check_response: {
    hasActiveStream: true,
    streamInfo: {
      type: 'unmanaged',
      streamId: 's1a2b3c4d5',
      status: 'active',
      createdAt: timestamp,
      rtmpUrl: 'rtmp://stream.example.org/live/key',
      requestingAppId: packageName,
    },
    timestamp,
  },
  photo_response: {
    requestId: 'photo_req_1_a',
    success: true,
    photoUrl: 'https://cloud.example.org/api/photos/shared/m1a/c2lnbmF0dXJl',
    savedToGallery: false,
    error: { code: 'CAMERA_BUSY', message: 'A video is recorded' },
    sessionId,
    timestamp,
  },
  audio_play_response: {
    requestId: 'audio_req_1_a',
    success: false,
    error: 'No',
    duration: 1.5,
    sessionId,
    timestamp,
  },
  rgb_led_control_response: { requestId: 'led_req_1_a', success: true, sessionId, timestamp },
  dashboard_mode_changed: { mode: 'expanded', sessionId, timestamp },
  app_message_received: {
    messageId: 'msg_1_a',
    payload: { move: 'e4' },
    senderUserId: userId,
    senderSessionId: sessionId,
    roomId,
    timestamp,
  },
  app_direct_message_response: {
    messageId: 'msg_1_a',
    success: false,
    error: 'NOT_REACHED',
    targetUserId: userId,
    timestamp,
  },
  app_user_joined: { userId, sessionId, joinedAt: timestamp, roomId, timestamp },
  app_user_left: { userId, sessionId, leftAt: timestamp, roomId, timestamp },
  app_room_updated: {
    roomId,
    updateType: 'user_joined',
    roomData: { memberCount: 1, maxUsers: 100, isPrivate: false, metadata: { game: 'chess' } },
    timestamp,
  },
  settings_update: { packageName, sessionId, settings: [{ key: 'bold', value: true }], timestamp },
  augmentos_settings_update: { sessionId, settings: osSettings, timestamp },
  custom_message: {
    action: 'update_datetime',
    payload: { datetime: '2026-01-31T12:00:00+01:00', section: 'topLeft' },
    timestamp,
  },
}
