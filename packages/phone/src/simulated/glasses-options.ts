import type { AudioFormat } from '@glasses-cloud/contract'
import type { Wifi } from '../adapter/glasses-adapter.ts'
import type { PhoneOptions } from '../phone-options.ts'
import type { TakePicture } from '../platform/platform.ts'
import type { CameraBehavior } from './camera/photo-request.ts'
import type { StreamingBehavior, StreamMessageNames } from './camera/streaming-camera.ts'
import type { DisplaySize } from './display-size.ts'

/** Options of simulated glasses with their phone. Only `url` and `token` are required. */
export interface GlassesOptions extends PhoneOptions {
  /** Model of the glasses; `null` for a phone without glasses. `Simulated Glasses` by default. */
  readonly model?: string | null
  /** Reported together with the model, for glasses with Wi-Fi. */
  readonly wifi?: Wifi
  /** How photo requests are handled; `{ kind: 'direct' }` by default. */
  readonly camera?: CameraBehavior
  /** How stream requests are handled; `{ kind: 'stream' }` by default, which sends no video. */
  readonly streaming?: StreamingBehavior
  /** Stream message names the phone supports: `rtmp` by default, `generic` for newer phones. */
  readonly streamMessageNames?: StreamMessageNames
  /**
   * Format of microphone audio. Newer phones configure it over REST after each acknowledgement. Without it, PCM is sent
   * and nothing is configured, as by older phones and headless clients.
   */
  readonly audioFormat?: AudioFormat
  readonly display?: Partial<DisplaySize>
  /** The camera; by default it draws test pictures. */
  readonly takePicture?: TakePicture
}
