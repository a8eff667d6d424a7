import type { Speak } from './platform.ts'

/** What the glasses use of Node; `package.json` replaces this module by `browser.ts` in browsers. */
export { VideoPublisher } from '../simulated/camera/video-publisher.ts'
export { takePicture } from './node-picture.ts'
export { openSocket } from './node-socket.ts'
export { playSound } from './node-sound.ts'

/** Node has no voice. */
export const speak: Speak | undefined = undefined
