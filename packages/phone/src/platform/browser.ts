/** What the glasses use of a browser. */
export { takePicture } from './browser-picture.ts'
export { openSocket } from './browser-socket.ts'
export { playSound } from './browser-sound.ts'
export { speak } from './browser-speech.ts'
export { VideoPublisher } from './browser-video.ts'
