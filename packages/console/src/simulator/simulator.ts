import { closeFrames, findCapabilities } from '@glasses-cloud/contract'
import {
  type Frame,
  Glasses,
  type LedCommand,
  openSocket,
  type PhotoOutcome,
  type PlayedAudio,
  type PlaySound,
  playSound,
  readAloud,
} from '@glasses-cloud/phone/browser'
import { api, unwrap } from '../api/client.ts'
import { cloudPath, cloudUrl } from '../base-path.ts'
import { isOwnUrl, playableUrl } from '../own-url.ts'
import { Camera } from './camera.ts'
import { withFaults } from './faulty-socket.ts'
import { FrameLog, parse } from './frame-log.ts'
import { lensOf } from './lens-size.ts'
import { Replay } from './replay.ts'
import {
  EMPTY_DISPLAY,
  type Faults,
  NO_FAULTS,
  type Photo,
  type SimulatorState,
  type Sound,
} from './simulator-state.ts'
import { SpeechDelays } from './speech-delays.ts'
import { StartTimeline } from './start-timeline.ts'

/** Photos and sounds that are shown. */
const MAX_SHOWN = 6

/** Frames that arrive within this time are shown together. */
const FRAME_BATCH_MS = 50

/** What is reported wherever the user is in the console. */
export interface SimulatorEvents {
  /** Called after a photo that no app requested. */
  readonly onOwnPhoto: (photo: PhotoOutcome) => void
  /** Called when these glasses took over the session of those in another tab. */
  readonly onReplacement: () => void
}

/** Simulated glasses with their phone, which the signed-in user wears in the browser. */
export class Simulator {
  readonly camera = new Camera()
  readonly replay = new Replay(
    (text) => this.glasses.sendRaw(text),
    (replay) => this.#change({ replay }),
  )
  readonly #log = new FrameLog()
  readonly #starts = new StartTimeline()
  readonly #delays = new SpeechDelays()
  readonly #listeners = new Set<() => void>()
  /** Other tabs with simulated glasses of this user. */
  readonly #tabs = new BroadcastChannel('simulated-glasses')
  #glasses: Glasses | undefined
  #ledTimer: ReturnType<typeof setTimeout> | undefined
  #batch: ReturnType<typeof setTimeout> | undefined
  #state: SimulatorState

  /** Photos that apps have requested; any other photo is the wearer's own. */
  readonly #requestedPhotos = new Set<string>()
  readonly #events: SimulatorEvents

  constructor(model: string, events: SimulatorEvents) {
    this.#events = events
    this.#state = {
      connection: 'disconnected',
      problem: undefined,
      wasReplaced: false,
      model,
      display: EMPTY_DISPLAY,
      hasShown: false,
      requiredData: [],
      speechProblem: undefined,
      led: undefined,
      ssid: undefined,
      wifiRequest: undefined,
      faults: NO_FAULTS,
      photos: [],
      sounds: [],
      frames: [],
      starts: [],
      utterances: [],
      replay: this.replay.state,
    }
    this.#tabs.onmessage = () => {
      // The other tab may learn of it before these glasses are acknowledged.
      if (this.#state.connection !== 'disconnected') this.#events.onReplacement()
    }
    this.#observeStarts()
  }

  /** The current state; the same object until something changes. */
  readonly getState = (): SimulatorState => this.#state

  /** Calls a listener after each change. Returns the function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The glasses while there is a connection. @throws {Error} without one */
  get glasses(): Glasses {
    if (this.#glasses === undefined) throw new Error('The glasses are not connected')
    return this.#glasses
  }

  /** Connects as the signed-in user, and keeps reconnecting. */
  async connect(): Promise<void> {
    if (this.#glasses !== undefined) return
    this.#change({ connection: 'connecting', problem: undefined, wasReplaced: false })
    try {
      const { token } = await unwrap(api.POST('/api/auth/glasses-token'))
      const glasses = new Glasses({
        url: cloudUrl(),
        token,
        tokenIn: 'query',
        credentials: 'cookie',
        model: this.#state.model,
        openSocket: withFaults(openSocket, () => this.#state.faults),
        takePicture: this.camera.takePicture,
        playSound: this.#playSound,
        ...(readAloud && { speak: readAloud }),
        respondBy: 'rest',
      })
      this.#glasses = glasses
      this.#applyModel()
      this.#applyFaults()
      this.#listen(glasses)
      await glasses.connect()
    } catch (error) {
      await this.disconnect()
      this.#change({ problem: error instanceof Error ? error.message : String(error) })
    }
  }

  async disconnect(): Promise<void> {
    const glasses = this.#glasses
    this.#glasses = undefined
    this.replay.stop()
    await glasses?.disconnect()
    this.#changeToDisconnected()
  }

  /** Takes the glasses off and puts on others. */
  putOn(model: string): void {
    this.#change({ model })
    this.#applyModel()
    this.#glasses?.putOn(model)
    this.refresh()
  }

  /** Connects the glasses to a Wi-Fi network, or disconnects them. */
  setWifi(ssid: string | undefined): void {
    if (ssid === undefined) this.glasses.leaveWifi()
    else this.glasses.joinWifi(ssid)
    this.#change({ ssid, wifiRequest: undefined })
  }

  setFaults(faults: Partial<Faults>): void {
    this.#change({ faults: { ...this.#state.faults, ...faults } })
    this.#applyFaults()
  }

  /** Shows the display again after something was set on the glasses. */
  refresh(): void {
    if (this.#glasses === undefined) return
    const { view, lines, layout, headUp } = this.#glasses.display
    const isFilled = view === 'main' && (lines.length > 0 || layout.layoutType === 'bitmap_view')
    const hasShown = this.#state.hasShown || isFilled
    this.#change({ display: { view, lines, layout, headUp }, hasShown })
  }

  /** Takes note of loud sound that was sent now, to measure the delay until the lens shows something. */
  noteSound(): void {
    this.#delays.addSound(Date.now())
    this.#batch ??= setTimeout(() => this.#showFrames(), FRAME_BATCH_MS)
  }

  clearFrames(): void {
    this.#log.clear()
    this.#change({ frames: this.#log.frames })
  }

  #listen(glasses: Glasses): void {
    glasses.on('ack', () => this.#change({ connection: 'connected', problem: undefined }))
    glasses.on('displayChange', () => this.refresh())
    glasses.on('microphone', ({ requiredData }) => this.#change({ requiredData }))
    glasses.on('transcriptionStatus', ({ status, message = 'It gave no reason' }) =>
      this.#change({ speechProblem: status === 'unavailable' ? message : undefined }),
    )
    glasses.on('ledCommand', (led) => this.#showLed(led))
    glasses.on('photoRequest', ({ requestId }) => this.#requestedPhotos.add(String(requestId)))
    glasses.on('photo', (outcome) => {
      this.#addPhoto(toPhoto(outcome))
      if (!this.#requestedPhotos.delete(outcome.requestId)) this.#events.onOwnPhoto(outcome)
    })
    glasses.on('appStopped', () => this.#change({ hasShown: false }))
    glasses.on('audioPlayed', (audio) => this.#showSoundEnd(audio))
    glasses.on('wifiSetupRequest', ({ reason }) => this.#change({ wifiRequest: String(reason ?? '') }))
    glasses.on('error', ({ message }) => this.#change({ problem: message }))
    glasses.on('frame', (frame) => this.#note(frame))
    glasses.on('close', ({ willReconnect, reason, code }) => {
      if (this.#glasses !== glasses) return
      this.replay.stop()
      if (willReconnect) return this.#change({ connection: 'reconnecting', requiredData: [] })
      this.#glasses = undefined
      this.#changeToDisconnected()
      if (code === closeFrames.GLASSES_REPLACED.code) {
        this.#change({ wasReplaced: true })
        this.#tabs.postMessage('was-replaced')
      } else this.#change({ problem: reason || `Close code ${code}` })
    })
  }

  /** Logs a frame, and takes note of starts and of the delay of speech. */
  #note(frame: Frame): void {
    const at = Date.now()
    this.#log.add(frame, at)
    const message = typeof frame.content === 'string' ? parse(frame.content) : undefined
    if (typeof message === 'object' && message !== null) {
      const fields = message as Readonly<Record<string, unknown>>
      if (frame.direction === 'received') this.#starts.addMessage(fields, at)
      if (fields.type === 'local_transcription')
        this.#delays.addTranscript(String(fields.text), fields.isFinal === true, at)
      if (fields.type === 'display_event') this.#delays.addDisplay(at)
    }
    this.#batch ??= setTimeout(() => this.#showFrames(), FRAME_BATCH_MS)
  }

  #changeToDisconnected(): void {
    this.#change({
      connection: 'disconnected',
      requiredData: [],
      speechProblem: undefined,
      wasReplaced: false,
      led: undefined,
      wifiRequest: undefined,
      display: EMPTY_DISPLAY,
      hasShown: false,
    })
  }

  readonly #playSound: PlaySound = (url, options) => {
    const { requestId, volume } = options
    const sound: Sound = { requestId, url, volume, result: 'playing' }
    this.#change({ sounds: [sound, ...this.#state.sounds].slice(0, MAX_SHOWN) })
    return playSound(playableUrl(url, requestId), options)
  }

  #showSoundEnd({ requestId, error }: PlayedAudio): void {
    const sounds = this.#state.sounds.map((sound): Sound => {
      if (sound.requestId !== requestId || sound.result !== 'playing') return sound
      return error === undefined ? { ...sound, result: 'played' } : { ...sound, result: 'failed', error }
    })
    this.#change({ sounds })
  }

  #showLed(led: LedCommand): void {
    clearTimeout(this.#ledTimer)
    this.#change({ led: led.action === 'on' ? led : undefined })
    const onMs = (led.ontime + led.offtime) * led.count
    if (led.action === 'on') this.#ledTimer = setTimeout(() => this.#change({ led: undefined }), onMs)
  }

  #addPhoto(photo: Photo): void {
    this.#change({ photos: [photo, ...this.#state.photos].slice(0, MAX_SHOWN) })
  }

  #applyModel(): void {
    const lens = lensOf(this.#state.model)
    if (lens !== undefined && this.#glasses !== undefined) this.#glasses.displaySize = lens.text
    this.#applyFaults()
  }

  #applyFaults(): void {
    const glasses = this.#glasses
    if (glasses === undefined) return
    const { losesAnswers, refusesPhotos, hasBrokenLed } = this.#state.faults
    const hasLight = findCapabilities(this.#state.model)?.hasLight !== false
    glasses.camera = losesAnswers
      ? { kind: 'ignore' }
      : refusesPhotos
        ? { kind: 'fail', errorCode: 'CAMERA_CAPTURE_FAILED', errorMessage: 'The simulated camera refuses' }
        : { kind: 'phone', mayUploadTo: isOwnUrl }
    glasses.led.behavior = losesAnswers
      ? { kind: 'ignore' }
      : hasBrokenLed || !hasLight
        ? { kind: 'fail', error: 'device_not_supported' }
        : { kind: 'apply' }
    glasses.audioPlayer.behavior = { kind: losesAnswers ? 'ignore' : 'play' }
    glasses.streaming.behavior = { kind: losesAnswers ? 'ignore' : 'stream' }
  }

  /** Notes when any page of the console asked the cloud to start an app, and when that was answered. */
  #observeStarts(): void {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
        const packageName = /^\/api\/apps\/([^/]+)\/start$/.exec(cloudPath(entry.name))?.[1]
        if (packageName === undefined) continue
        const at = performance.timeOrigin + entry.startTime
        const end = performance.timeOrigin + entry.responseEnd
        this.#starts.addRequest(decodeURIComponent(packageName), at, end, entry.responseStatus)
        this.#change({ starts: this.#starts.moments })
      }
    })
    observer.observe({ type: 'resource' })
  }

  #showFrames(): void {
    this.#batch = undefined
    const { frames } = this.#log
    this.#change({ frames, starts: this.#starts.moments, utterances: this.#delays.utterances })
  }

  #change(change: Partial<SimulatorState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

function toPhoto(outcome: PhotoOutcome): Photo {
  const { requestId } = outcome
  if (!outcome.ok) return { requestId, error: outcome.errorMessage }
  return { requestId, picture: new Blob([outcome.picture.jpeg], { type: 'image/jpeg' }) }
}
