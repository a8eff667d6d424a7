import type { Message } from '@glasses-cloud/contract'
import type { PhotoOutcome } from '../simulated/camera/photo-request.ts'
import type { LedCommand } from '../simulated/led.ts'

/** What a device did for the cloud. */
export interface DeviceEvents {
  photoRequest: [Message]
  /** A photo request was answered, or a photo of the user's own was taken; ignored requests are not reported. */
  photo: [PhotoOutcome]
  /** The LED applied a command. */
  ledCommand: [LedCommand]
  /** An app requested Wi-Fi setup; `joinWifi` completes it. */
  wifiSetupRequest: [Message]
}
