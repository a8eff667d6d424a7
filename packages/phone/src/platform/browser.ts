/** What the glasses use of a browser. */
import {
  errorDetail,
  type OpenSocket,
  type Picture,
  type PictureRequest,
  type PlaySound,
  type VideoPublisher as Publisher,
  pictureFormat,
  type SocketEnd,
  type Speak,
  type TakePicture,
  type VideoPublisherOptions,
} from './platform.ts'

/** Draws a test picture with the number of the photo. */
export const takePicture: TakePicture = (request) => {
  const { width, height } = pictureFormat(request.size, request.compress)
  return drawPhoto(request, { width, height }, (context) => {
    context.fillStyle = `hsl(${(request.index * 47) % 360} 60% 40%)`
    context.fillRect(0, 0, width, height)
    context.fillStyle = 'white'
    context.font = `${height / 4}px sans-serif`
    context.textAlign = 'center'
    context.fillText(String(request.index + 1), width / 2, height / 2)
  })
}

/** Photographs an image, such as a frame of a video, at most as large as requested. */
export function photograph(
  request: PictureRequest,
  image: CanvasImageSource,
  size: { readonly width: number; readonly height: number },
): Promise<Picture> {
  const requested = pictureFormat(request.size, request.compress)
  const scale = Math.min(requested.width / size.width, requested.height / size.height, 1)
  const width = Math.max(Math.round(size.width * scale), 1)
  const height = Math.max(Math.round(size.height * scale), 1)
  return drawPhoto(request, { width, height }, (context) => context.drawImage(image, 0, 0, width, height))
}

async function drawPhoto(
  { size, compress }: PictureRequest,
  { width, height }: { readonly width: number; readonly height: number },
  draw: (context: OffscreenCanvasRenderingContext2D) => void,
): Promise<Picture> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser cannot draw a picture')
  draw(context)
  const { quality } = pictureFormat(size, compress)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: quality / 100 })
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), width, height }
}

/** Close code of a connection that ended without a closing handshake (RFC 6455, section 7.4.1). */
const ABNORMAL_CLOSURE = 1006

export const openSocket: OpenSocket = ({ url, protocols }, handlers) => {
  const socket = new WebSocket(url, protocols)
  socket.binaryType = 'arraybuffer'
  const decoder = new TextDecoder()
  let isOver = false
  const end = (reason: SocketEnd) => {
    if (isOver) return
    isOver = true
    handlers.close(reason)
  }
  socket.onopen = () => handlers.open()
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (!isOver) handlers.frame(typeof data === 'string' ? data : decoder.decode(data))
  }
  // Browsers do not tell scripts why.
  socket.onerror = () => isOver || handlers.error(new Error('The connection failed'))
  socket.onclose = ({ code, reason }) => end({ code, reason })
  return {
    get isOpen() {
      return !isOver && socket.readyState === WebSocket.OPEN
    },
    sendText: (text) => socket.send(text),
    sendBinary: async (frame) => socket.send(new Uint8Array(frame)),
    close: (code, reason) => socket.close(code, reason),
    terminate() {
      // A browser cannot drop a connection, so it is closed in the background.
      socket.close()
      end({ code: ABNORMAL_CLOSURE, reason: '' })
    },
  }
}

/** Plays the sound on the speaker of the computer. */
export const playSound: PlaySound = (url, { volume, signal }) =>
  new Promise((resolve, reject) => {
    const audio = new Audio(url)
    audio.volume = Math.min(Math.max(volume, 0), 1)
    const stop = () => {
      audio.pause()
      audio.removeAttribute('src')
      reject(signal.reason)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    const fail = async () =>
      reject(new Error(`The sound cannot be loaded or played${await reasonOf(url, signal)}`))
    audio.onended = () => resolve(audio.duration)
    audio.onerror = () => void fail()
    audio.play().catch((error: unknown) => {
      // What cannot be loaded is reported by `onerror`, with the reason.
      if (audio.error === null) reject(error)
    })
  })

/** Fetches a sound again that could not be played: a media element does not expose the response of the server. */
async function reasonOf(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal }).catch(() => undefined)
  if (response === undefined || response.ok) {
    void response?.body?.cancel()
    return ''
  }
  return ` (status ${response.status}${await errorDetail(response)})`
}

/** Reports that a browser cannot publish video over RTMP. */
export class VideoPublisher implements Publisher {
  readonly #options: VideoPublisherOptions

  constructor(options: VideoPublisherOptions) {
    this.#options = options
  }

  start(): void {
    this.#options.onStatus('error', { errorDetails: 'A browser cannot publish video over RTMP' })
    this.#options.onEnd()
  }

  interrupt(): void {}

  async stop(): Promise<void> {}
}

/** Utterances in progress: Chromium does not report the end of those that nothing refers to. */
const spoken = new Set<SpeechSynthesisUtterance>()

/** Speaks with a voice of the browser; undefined where there is no speech synthesis. */
export const speak: Speak | undefined =
  typeof speechSynthesis === 'undefined'
    ? undefined
    : (text, { language, volume, signal }) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const utterance = new SpeechSynthesisUtterance(text)
        if (language !== undefined) utterance.lang = language
        utterance.volume = Math.min(Math.max(volume, 0), 1)
        utterance.onend = () => resolve()
        utterance.onerror = ({ error }) => reject(new Error(`The phone cannot speak (${error})`))
        const stop = () => {
          reject(signal.reason)
          speechSynthesis.cancel()
        }
        signal.addEventListener('abort', stop, { once: true })
        spoken.add(utterance)
        speechSynthesis.speak(utterance)
        return promise.finally(() => {
          spoken.delete(utterance)
          signal.removeEventListener('abort', stop)
        })
      }
