import type { components } from './api/schema.d.ts'

export type PermissionType = components['schemas']['PermissionType']
export type HardwareType = components['schemas']['HardwareType']

/** What each permission lets an app do. */
export const permissions: Record<PermissionType, { readonly name: string; readonly meaning: string }> = {
  MICROPHONE: { name: 'Microphone', meaning: 'Hears what is said near you, as sound or as text.' },
  LOCATION: { name: 'Location', meaning: 'Knows where you are while it runs.' },
  BACKGROUND_LOCATION: { name: 'Background location', meaning: 'Knows where you are at any time.' },
  CALENDAR: { name: 'Calendar', meaning: 'Reads the events of your calendar.' },
  CAMERA: { name: 'Camera', meaning: 'Takes photos and streams video from your glasses.' },
  NOTIFICATIONS: { name: 'Notifications', meaning: 'Reads the notifications of your phone.' },
  READ_NOTIFICATIONS: { name: 'Read notifications', meaning: 'Reads the notifications of your phone.' },
  POST_NOTIFICATIONS: { name: 'Post notifications', meaning: 'Shows notifications on your phone.' },
  ALL: { name: 'Everything', meaning: 'Uses everything that your glasses and phone offer.' },
}

/** Parts of glasses that an app may need. */
export const hardware: Record<HardwareType, string> = {
  CAMERA: 'Camera',
  DISPLAY: 'Display',
  MICROPHONE: 'Microphone',
  SPEAKER: 'Speaker',
  IMU: 'Motion sensor',
  BUTTON: 'Button',
  LIGHT: 'Light',
  WIFI: 'Wi-Fi',
  EXIST: 'Any glasses',
}

/** Parts of glasses inside a sentence. */
export const hardwareInSentence: Record<HardwareType, string> = {
  CAMERA: 'camera',
  DISPLAY: 'display',
  MICROPHONE: 'microphone',
  SPEAKER: 'speaker',
  IMU: 'motion sensor',
  BUTTON: 'button',
  LIGHT: 'light',
  WIFI: 'Wi-Fi',
  EXIST: 'glasses',
}
