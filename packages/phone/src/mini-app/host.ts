/**
 * What the host of a mini app (MentraOS 3.x) and the app say to each other: JSON texts with a payload, and an id for what
 * is answered. Read from the host's public source (ADR 63); nothing of it was tried on a phone.
 */
export interface Envelope {
  readonly payload: Payload
  readonly requestId?: string
}

export interface Payload {
  readonly type: string
  readonly [field: string]: unknown
}

/** Types of payloads. */
export const HOST = {
  // mini app → host
  CONNECT: 'miniapp_connect',
  SUBSCRIBE: 'miniapp_subscribe',
  RENDER: 'miniapp_render',
  PLAY_AUDIO: 'miniapp_play_audio',
  STOP_AUDIO: 'miniapp_stop_audio',
  SPEAK: 'miniapp_speak',
  LOCATION_POLL: 'miniapp_location_poll',
  PONG: 'miniapp_pong',
  // host → mini app
  CONNECT_ACK: 'miniapp_connect_ack',
  EVENT: 'miniapp_event',
  REQUEST_RESULT: 'miniapp_request_result',
  CAPABILITIES_UPDATE: 'miniapp_capabilities_update',
  WILL_DISCONNECT: 'miniapp_will_disconnect',
  PING: 'miniapp_ping',
} as const

/** Streams of events that the adapter subscribes to. */
export const STREAM = {
  CONNECTION: 'glasses_connection',
  BATTERY: 'glasses_battery',
  TOUCH: 'touch_event',
  HEAD: 'head_position',
  AUDIO: 'audio_chunk',
} as const

/** What the host tells of the connected glasses. */
export interface HostGlasses {
  /** As in the device profiles, such as `Even Realities G1`. */
  readonly modelName: string
  /** Size of the lens in pixels of the glasses. */
  readonly width: number
  readonly height: number
  readonly maxTextLines: number | undefined
}

/** Where hosts give no size, that of Even Realities G2, on which their documentation draws. */
const DEFAULT_SIZE = { width: 576, height: 288 }

/** Reads the capabilities of glasses; undefined if none are connected, or if they have no display. */
export function readGlasses(capabilities: unknown): HostGlasses | undefined {
  if (!isRecord(capabilities) || !isRecord(capabilities.display)) return undefined
  const { display, modelName } = capabilities
  const resolution = isRecord(display.resolution) ? display.resolution : {}
  return {
    modelName: typeof modelName === 'string' ? modelName : 'Glasses of the Mentra app',
    width: positive(display.width) ?? positive(resolution.width) ?? DEFAULT_SIZE.width,
    height: positive(display.height) ?? positive(resolution.height) ?? DEFAULT_SIZE.height,
    maxTextLines: positive(display.maxTextLines),
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}
