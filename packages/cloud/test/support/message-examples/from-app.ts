import type { AppToCloud } from '@glasses-cloud/contract'
import type { Examples } from './index.ts'

/** What the app SDK sends with every message. */
const common = { packageName: 'dev.example.table', timestamp: '2026-01-31T12:00:00.000Z' }

/** One message of each type that apps may send, as the app SDK sends it (app-socket.md §2.1). */
export const fromApp: Examples<AppToCloud> = {
  tpa_connection_init: { ...common, sessionId: 'us1-dev.example.table', apiKey: 'gck_id_secret' },
  reconnect: { sessionId: 'us1-dev.example.table', sdkVersion: '3.0.0-hono.8' },
  ping: {},
  subscription_update: {
    ...common,
    subscriptions: [
      'button_press',
      'transcription:en-US?no-language-identification=true',
      { stream: 'location_stream', rate: 'high' },
    ],
  },
  display_event: {
    ...common,
    view: 'main',
    layout: { layoutType: 'double_text_wall', topText: 'Above', bottomText: 'Below' },
    durationMs: 4_000,
    forceDisplay: false,
  },
  photo_request: {
    ...common,
    requestId: 'photo_req_1_a',
    saveToGallery: false,
    size: 'small',
    compress: 'none',
    sound: true,
    exposureTimeNs: 8_000_000,
    mode: 'photo',
  },
  rtmp_stream_request: {
    ...common,
    rtmpUrl: 'rtmp://stream.example.org/live/key',
    video: { width: 1280, height: 720, bitrate: 2_000_000, frameRate: 30 },
    audio: { bitrate: 64_000, sampleRate: 44_100, echoCancellation: true },
    stream: { durationLimit: 600 },
  },
  rtmp_stream_stop: common,
  stream_request: { ...common, streamUrl: 'srt://stream.example.org:9000' },
  stream_stop: { ...common, streamId: 's1a2b3c4d5' },
  managed_stream_request: {
    ...common,
    quality: '1080p',
    enableWebRTC: true,
    restreamDestinations: [{ url: 'rtmp://stream.example.org/live/key', name: 'Mine' }],
  },
  managed_stream_stop: common,
  stream_status_check: common,
  location_poll_request: { ...common, correlationId: 'poll_1_a', accuracy: 'realtime' },
  audio_play_request: {
    ...common,
    requestId: 'audio_req_1_a',
    audioUrl: 'https://example.org/sound.mp3',
    volume: 1,
    stopOtherAudio: true,
    trackId: 2,
  },
  audio_stop_request: common,
  rgb_led_control: {
    ...common,
    requestId: 'led_req_1_a',
    action: 'on',
    color: 'green',
    ontime: 1_000,
    offtime: 0,
    count: 1,
  },
  request_wifi_setup: { ...common, reason: 'To stream' },
  dashboard_content_update: { ...common, content: '3 new messages', modes: ['main', 'expanded'] },
  dashboard_mode_change: { ...common, mode: 'expanded' },
  dashboard_system_update: { ...common, section: 'topLeft', content: '12:00' },
  app_broadcast_message: { ...common, messageId: 'msg_1_a', payload: { move: 'e4' } },
  app_direct_message: {
    ...common,
    messageId: 'msg_2_a',
    payload: 'hello',
    targetUserId: 'unknown@example.org',
  },
  app_room_join: {
    ...common,
    roomId: 'lobby',
    roomConfig: { maxUsers: 2, metadata: { game: 'chess' } },
  },
  app_room_leave: { ...common, roomId: 'lobby' },
  app_user_discovery: { ...common, includeUserProfiles: false },
  // Ends the connection, so it is last.
  ownership_release: { ...common, reason: 'clean_shutdown' },
}
