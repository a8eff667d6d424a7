import { Type } from 'typebox'
import { defineClientMessage, optionalOrNull } from './define-message.ts'

const name = Type.String({ maxLength: 200 })

/**
 * What phones say that the cloud has no part in: it goes on to the apps that listen to its name (glasses socket
 * protocol, 2.1 and 2.4).
 */
export const relayedFromGlasses = {
  swipe_volume_status: defineClientMessage('swipe_volume_status', 'Whether swiping changes the volume.', {
    enabled: Type.Boolean(),
  }),
  switch_status: defineClientMessage('switch_status', 'A switch of the glasses was turned.', {
    switch_type: Type.Number(),
    switch_value: Type.Number(),
  }),
  video_stream_response: defineClientMessage('video_stream_response', 'Where a video of the glasses is.', {
    appId: name,
    streamUrl: Type.String({ maxLength: 4_096 }),
  }),
  photo_taken: defineClientMessage('photo_taken', 'A photo, taken unasked; photo_request asks for one.', {
    photoData: Type.String({ description: 'Base64, as large as a text frame may be' }),
    mimeType: name,
    filename: optionalOrNull(name),
  }),
  vps_coordinates: defineClientMessage(
    'vps_coordinates',
    'Position and attitude of the glasses, by what they see.',
    {
      deviceModel: name,
      requestId: name,
      x: Type.Number(),
      y: Type.Number(),
      z: Type.Number(),
      qx: Type.Number(),
      qy: Type.Number(),
      qz: Type.Number(),
      qw: Type.Number(),
      confidence: Type.Number(),
    },
  ),
  dashboard_state: defineClientMessage('dashboard_state', 'Whether the dashboard of the phone is open.', {
    isOpen: Type.Boolean(),
  }),
  open_dashboard: defineClientMessage('open_dashboard', 'The dashboard of the phone was opened.', {}),
} as const

const userIdHash = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description: 'FNV-1a of the user id' })

/**
 * What phones say of ways for sound beside the socket (glasses socket protocol, 1.4 and 2.6). The cloud offers none:
 * its acknowledgement names no room and no UDP address. So they are read, without effect, and nobody is told.
 */
export const transportsFromGlasses = {
  livekit_init: defineClientMessage(
    'livekit_init',
    'Asks for a LiveKit room. Without effect: sound comes by this socket.',
    {
      mode: optionalOrNull(Type.String({ maxLength: 50, description: 'publish or subscribe' })),
    },
  ),
  udp_register: defineClientMessage(
    'udp_register',
    'Announces sound by UDP. Without effect: sound comes by this socket.',
    {
      userIdHash,
    },
  ),
  udp_unregister: defineClientMessage('udp_unregister', 'Takes udp_register back. Without effect.', {
    userIdHash,
  }),
} as const
