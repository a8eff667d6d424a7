export type { MicrophoneData } from './audio/microphone.ts'
export { BYTES_PER_MS, SAMPLE_RATE, silence, splitFrames, tone } from './audio/pcm.ts'
export { parseWav, readWav } from './audio/wav.ts'
export { type Clock, delay, systemClock, type Timer } from './clock.ts'
export { Display, type DisplayMatch } from './pages/display.ts'
export { type Deadline, Phone } from './phone.ts'
export {
  type CalendarEvent,
  PhoneApi,
  type PhoneApp,
  PhoneError,
  type PhoneNotification,
} from './phone-api.ts'
export type { CloudMessage, PhoneEvents } from './phone-events.ts'
export type { PhoneOptions, Position } from './phone-options.ts'
export { drawPicture } from './platform/node.ts'
export type { Picture, VideoSource } from './platform/platform.ts'
export type { AudioPlayer, AudioPlayerBehavior, PlayedAudio } from './requests/audio-player.ts'
export { drawBox } from './simulated/box.ts'
export type { CameraBehavior, PhotoOutcome } from './simulated/camera/photo-request.ts'
export type {
  StreamingBehavior,
  StreamingCamera,
  StreamMessageNames,
} from './simulated/camera/streaming-camera.ts'
export { Glasses, type GlassesOptions } from './simulated/glasses.ts'
export type { Led, LedBehavior, LedCommand } from './simulated/led.ts'
export type { SpeechOptions } from './simulated/local-transcription.ts'
export type { AudioSent, SendAudioOptions } from './simulated/send-audio.ts'
export { DEFAULT_DISPLAY_SIZE, type DisplaySize } from './simulated/simulated-glasses.ts'
export type { SpeechSent } from './simulated/simulated-microphone.ts'
export { DEFAULT_JSON_PING, type JsonPingPolicy } from './socket/json-ping.ts'
export { type BackoffPolicy, type CloseInfo, DEFAULT_BACKOFF } from './socket/reconnecting-socket.ts'
