import { Type } from 'typebox'
import { defineGlassesMessage } from './define-message.ts'

const name = Type.String({ maxLength: 200 })

/**
 * Messages from phones that the cloud only relays, to the apps subscribed to a stream of the same name
 * (glasses-socket.md §2.1 and glasses-socket.md §2.4).
 */
export const relayedFromGlasses = {
  swipe_volume_status: defineGlassesMessage(
    'swipe_volume_status',
    'Whether swipe gestures change the volume.',
    {
      enabled: Type.Boolean(),
    },
  ),
  switch_status: defineGlassesMessage('switch_status', 'A switch of the glasses was turned.', {
    switch_type: Type.Number(),
    switch_value: Type.Number(),
  }),
  video_stream_response: defineGlassesMessage(
    'video_stream_response',
    'The URL of a video stream of the glasses.',
    {
      appId: Type.Optional(name),
      streamUrl: Type.String({ maxLength: 4_096 }),
    },
  ),
  photo_taken: defineGlassesMessage('photo_taken', 'A photo that was taken without a photo_request.', {
    photoData: Type.String({ description: 'Base64, limited by the size of a text frame' }),
    mimeType: Type.Optional(name),
    filename: Type.Optional(name),
  }),
  vps_coordinates: defineGlassesMessage(
    'vps_coordinates',
    'Position and orientation of the glasses from visual positioning.',
    {
      deviceModel: Type.Optional(name),
      requestId: Type.Optional(name),
      x: Type.Number(),
      y: Type.Number(),
      z: Type.Number(),
      qx: Type.Number(),
      qy: Type.Number(),
      qz: Type.Number(),
      qw: Type.Number(),
      confidence: Type.Optional(Type.Number()),
    },
  ),
  dashboard_state: defineGlassesMessage('dashboard_state', 'Whether the dashboard of the phone is open.', {
    isOpen: Type.Boolean(),
  }),
  open_dashboard: defineGlassesMessage('open_dashboard', 'The dashboard of the phone was opened.', {}),
} as const

const userIdHash = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description: 'FNV-1a of the user id' }),
)

/**
 * Messages from phones about other audio transports (glasses-socket.md §1.4 and glasses-socket.md §2.6). The cloud offers
 * none of them, so these messages are accepted without effect.
 */
export const transportsFromGlasses = {
  livekit_init: defineGlassesMessage(
    'livekit_init',
    'Requests a LiveKit room. Without effect: audio is sent over this socket.',
    {
      mode: Type.Optional(Type.String({ maxLength: 50, description: 'publish or subscribe' })),
    },
  ),
  udp_register: defineGlassesMessage(
    'udp_register',
    'Announces audio over UDP. Without effect: audio is sent over this socket.',
    {
      userIdHash,
    },
  ),
  udp_unregister: defineGlassesMessage('udp_unregister', 'Reverts udp_register. Without effect.', {
    userIdHash,
  }),
} as const
