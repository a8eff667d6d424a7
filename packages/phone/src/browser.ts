/** The phone and the simulated glasses for browsers: the same as in Node, without files and the terminal. */

export type { GlassesAdapter, GreyPicture, Link, Page, Screen } from './adapter/glasses-adapter.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export type { Display } from './pages/display.ts'
export { Phone } from './phone.ts'
export type { Frame } from './phone-events.ts'
export type { Position } from './phone-options.ts'
export { openSocket, photograph, playSound, takePicture } from './platform/browser.ts'
export { readAloud } from './platform/browser-read-aloud.ts'
export type {
  OpenSocket,
  Picture,
  PictureRequest,
  PlaySound,
  TakePicture,
} from './platform/platform.ts'
export { randomId } from './platform/random-id.ts'
export type { PlayedAudio } from './requests/audio-player.ts'
export type { PhotoOutcome } from './simulated/camera/photo-request.ts'
export { Glasses } from './simulated/glasses.ts'
export type { LedCommand } from './simulated/led.ts'
export type { DisplaySize } from './simulated/simulated-glasses.ts'
