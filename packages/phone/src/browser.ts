/** The simulated glasses for browsers: the same as in Node, without files and the terminal. */

export type { Display } from './pages/display.ts'
export type { Frame } from './phone-events.ts'
export { openSocket, playSound, takePicture } from './platform/browser.ts'
export { photograph } from './platform/browser-picture.ts'
export type { OpenSocket, Picture, PictureRequest, PlaySound, TakePicture } from './platform/platform.ts'
export type { Position } from './position.ts'
export type { PlayedAudio } from './requests/audio-player.ts'
export type { PhotoOutcome } from './simulated/camera/photo-request.ts'
export type { DisplaySize } from './simulated/display-size.ts'
export { Glasses } from './simulated/glasses.ts'
export type { LedCommand } from './simulated/led.ts'
