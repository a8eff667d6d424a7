import type { Capabilities } from './capabilities.ts'

/** Model name of the glasses that a phone simulates. */
export const SIMULATED_GLASSES_MODEL = 'Simulated Glasses'

/** Glasses without any hardware parts; every profile extends it. */
const NO_CAPABILITIES: Omit<Capabilities, 'modelName'> = {
  hasCamera: false,
  camera: null,
  hasDisplay: false,
  display: null,
  hasMicrophone: false,
  microphone: null,
  hasSpeaker: false,
  speaker: null,
  hasIMU: false,
  imu: null,
  hasButton: false,
  button: null,
  hasLight: false,
  light: null,
  power: { hasExternalBattery: false },
  hasWifi: false,
  hasOta: false,
  hasNativeDashboard: false,
}

const hd = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
  { width: 640, height: 480 },
]

const video = {
  canRecord: true,
  canStream: true,
  supportedStreamTypes: ['rtmp'],
  supportedResolutions: hd,
}

const privacyLight = {
  id: 'privacy',
  purpose: 'privacy',
  isFullColor: false,
  color: 'white',
  position: 'front_facing',
} as const

const sixAxes = { axisCount: 6, hasAccelerometer: true, hasCompass: false, hasGyroscope: true }

const presses = ['press', 'double_press', 'long_press']

const greenDisplay = {
  count: 1,
  isColor: false,
  color: 'green',
  canDisplayBitmap: false,
  resolution: { width: 640, height: 480 },
  fieldOfView: { horizontal: 30 },
  maxTextLines: 7,
  adjustBrightness: true,
}

const evenRealitiesG1: Capabilities = {
  ...NO_CAPABILITIES,
  modelName: 'Even Realities G1',
  hasDisplay: true,
  display: {
    ...greenDisplay,
    count: 2,
    canDisplayBitmap: true,
    resolution: { width: 640, height: 200 },
    fieldOfView: { horizontal: 25 },
    maxTextLines: 5,
  },
  hasMicrophone: true,
  microphone: { count: 1, hasVAD: false },
  hasIMU: true,
}

const evenRealitiesG2: Capabilities = {
  ...evenRealitiesG1,
  modelName: 'Even Realities G2',
  display: {
    ...evenRealitiesG1.display,
    maxTextLines: 8,
    width: 576,
    height: 288,
    canPosition: true,
    maxTextElements: 6,
    maxImageElements: 4,
    shapes: ['rect'],
    intensityLevels: 2,
    partialUpdate: true,
  },
  hasButton: true,
  button: {
    count: 1,
    buttons: [
      {
        type: 'swipe1d',
        events: ['TAP', 'DOUBLE_TAP', 'TRIPLE_TAP', 'PRESS_HOLD', 'SWIPE_UP', 'SWIPE_DOWN'],
        isCapacitive: true,
      },
    ],
  },
  hasNativeDashboard: true,
}

const mentraLive: Capabilities = {
  ...NO_CAPABILITIES,
  modelName: 'Mentra Live',
  hasCamera: true,
  camera: { resolution: { width: 1920, height: 1080 }, hasHDR: false, hasFocus: true, video },
  hasMicrophone: true,
  microphone: { count: 1, hasVAD: true },
  hasSpeaker: true,
  speaker: { count: 1, isPrivate: false },
  hasIMU: true,
  imu: sixAxes,
  hasButton: true,
  button: { count: 1, buttons: [{ type: 'press', events: presses, isCapacitive: false }] },
  hasLight: true,
  light: {
    count: 2,
    lights: [
      privacyLight,
      {
        id: 'user_feedback',
        purpose: 'user_feedback',
        isFullColor: true,
        color: 'rgb',
        position: 'user_facing',
      },
    ],
  },
  hasWifi: true,
  hasOta: true,
}

const simulated: Capabilities = {
  ...NO_CAPABILITIES,
  modelName: SIMULATED_GLASSES_MODEL,
  hasDisplay: true,
  display: greenDisplay,
  hasMicrophone: true,
  microphone: { count: 1, hasVAD: false },
  hasSpeaker: true,
  speaker: { count: 1, isPrivate: false },
  hasButton: true,
  button: { count: 1, buttons: [{ type: 'press', events: ['press'], isCapacitive: false }] },
}

const vuzixZ100: Capabilities = {
  ...NO_CAPABILITIES,
  modelName: 'Vuzix Z100',
  hasDisplay: true,
  display: greenDisplay,
}

/** Same hardware as the Vuzix Z100. */
const mentraMach1: Capabilities = { ...vuzixZ100, modelName: 'Mentra Mach1' }

const mentraDisplay: Capabilities = {
  ...NO_CAPABILITIES,
  modelName: 'Mentra Display',
  hasDisplay: true,
  display: { ...greenDisplay, canDisplayBitmap: true },
  hasMicrophone: true,
  microphone: { count: 1, hasVAD: true },
}

const touchArea = { type: 'press', events: presses, isCapacitive: true } as const

const nimo: Capabilities = {
  ...NO_CAPABILITIES,
  modelName: 'NIMO',
  hasDisplay: true,
  display: {
    count: 2,
    isColor: false,
    color: 'green',
    canDisplayBitmap: true,
    resolution: { width: 640, height: 400 },
    maxTextLines: 5,
    adjustBrightness: true,
  },
  hasMicrophone: true,
  microphone: { count: 2, hasVAD: false },
  hasIMU: true,
  hasButton: true,
  button: { count: 2, buttons: [touchArea, touchArea] },
}

const inmoGo2: Capabilities = {
  ...NO_CAPABILITIES,
  modelName: 'INMO Go2',
  hasCamera: true,
  camera: { resolution: { width: 2688, height: 1520 }, hasHDR: false, hasFocus: true, video },
  hasDisplay: true,
  display: {
    ...greenDisplay,
    canDisplayBitmap: true,
    fieldOfView: { horizontal: 20, vertical: 15 },
    maxTextLines: 10,
    adjustBrightness: false,
  },
  hasMicrophone: true,
  microphone: { count: 1, hasVAD: false },
  hasSpeaker: true,
  speaker: { count: 1, isPrivate: false },
  hasIMU: true,
  imu: sixAxes,
  hasButton: true,
  button: {
    count: 2,
    buttons: [
      { type: 'press', events: presses, isCapacitive: false },
      { type: 'swipe1d', events: ['swipe_forward', 'swipe_back', 'press'], isCapacitive: true },
    ],
  },
  hasLight: true,
  light: { count: 1, lights: [privacyLight] },
  hasWifi: true,
}

const profiles: ReadonlyMap<string, Capabilities> = new Map(
  [
    evenRealitiesG1,
    evenRealitiesG2,
    mentraLive,
    simulated,
    vuzixZ100,
    mentraMach1,
    mentraDisplay,
    nimo,
    inmoGo2,
  ].map((profile) => [profile.modelName, profile]),
)

/** Names of all models that have a device profile. */
export const KNOWN_MODELS: readonly string[] = [...profiles.keys()]

/**
 * Finds the device profile of a model by the exact name that phones report.
 * @returns null for an unknown model: guessing its hardware would reject apps that work or start apps that do not
 */
export function findCapabilities(modelName: string): Capabilities | null {
  return profiles.get(modelName) ?? null
}
