import { decode, ENVELOPE_SUBPROTOCOL, encode, type Message } from '@glasses-cloud/contract'
import { EventEmitter } from '#events'
import type {
  AdapterEvents,
  DeviceEvents,
  GlassesAdapter,
  Link,
  Page,
  RequestHandler,
} from './adapter/glasses-adapter.ts'
import { Microphone, type MicrophoneData } from './audio/microphone.ts'
import { awaitAcknowledgement } from './await-acknowledgement.ts'
import type { Timer } from './clock.ts'
import { MessageHistory, waitUntil } from './messages/message-history.ts'
import { Display, type DisplayMatch, displayMatches } from './pages/display.ts'
import { isSamePage } from './pages/page-turner.ts'
import { PhoneApi } from './phone-api.ts'
import type { CloudMessage, PhoneEvents } from './phone-events.ts'
import {
  type PhoneOptions,
  type Position,
  type ResolvedPhoneOptions,
  resolvePhoneOptions,
} from './phone-options.ts'
import type { AudioPlayer } from './requests/audio-player.ts'
import { PhoneRequests, refuseRequest } from './requests/phone-requests.ts'
import { buildHandshake } from './socket/handshake.ts'
import { JsonPing } from './socket/json-ping.ts'
import { ReconnectingSocket } from './socket/reconnecting-socket.ts'

export interface Deadline {
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 20_000
const MINUTE_MS = 60_000
const NO_LINK: Link = { state: 'lost', parts: [] }
const BLANK: Page = { kind: 'blank' }

/** What the lens shows while the cloud receives speech, but no transcription of it. */
const NOT_TRANSCRIBING =
  'Speech is not recognized: this phone sends no transcription. Type what you say, or let the cloud recognize speech (a speech model or STT_PROVIDERS).'

/**
 * A phone: carries what the cloud says to the glasses of an adapter, and what the glasses do to the cloud. It connects and
 * reconnects, makes pages of the layouts of apps, and serves the requests of the cloud.
 */
export class Phone extends EventEmitter<PhoneEvents> {
  readonly display: Display
  /** REST client of the phone, for the same user. */
  readonly api: PhoneApi
  protected readonly microphone: Microphone
  protected readonly options: ResolvedPhoneOptions
  readonly #adapter: GlassesAdapter
  readonly #device: RequestHandler | undefined
  readonly #socket: ReconnectingSocket
  readonly #requests: PhoneRequests
  readonly #jsonPing: JsonPing | undefined
  readonly #history = new MessageHistory()
  #link = NO_LINK
  #battery: { readonly level: number; readonly charging: boolean } | undefined
  #isAcknowledged = false
  #ack: CloudMessage<'connection_ack'> | undefined
  /** The page that the glasses were last told to show; undefined before the first one of a connection. */
  #shown: Page | undefined
  /** What the cloud was last told of the glasses. */
  #reported = ''
  #isMicrophoneOn = false
  #timeTimer: Timer

  constructor(adapter: GlassesAdapter, options: PhoneOptions) {
    super()
    const resolved = resolvePhoneOptions(options)
    const { clock, dialect, dialectBy } = resolved
    this.#adapter = adapter
    this.options = resolved
    this.api = new PhoneApi(resolved)
    this.display = new Display(
      () => this.#adapter.screen,
      () => ({ now: new Date(clock.now()), battery: this.#battery?.level, connected: this.isConnected }),
    )
    this.microphone = new Microphone(adapter.audioFormat, {
      api: this.api,
      isConnected: () => this.#socket.isOpen,
      sendBinary: (frame) => this.#socket.sendBinary(frame),
      onChange: (state) => {
        this.#switchMicrophone()
        this.emit('microphone', state)
      },
    })
    const send = (message: Message) => void (this.#socket.isOpen && this.send(message))
    const onError = (error: Error) => this.#emitError(error)
    this.#device = adapter.serve?.({
      api: this.api,
      report: (event, ...details) => void this.emit<keyof DeviceEvents>(event, ...details),
      send,
      fail: onError,
    })
    this.#requests = new PhoneRequests({
      ...resolved,
      api: this.api,
      send,
      onPlayed: (audio) => this.emit('audioPlayed', audio),
      onError,
    })
    const target = dialectBy === 'query' ? { ...resolved, dialectInQuery: dialect } : resolved
    this.#socket = new ReconnectingSocket({
      ...buildHandshake(target),
      protocols: dialectBy === 'subprotocol' ? [ENVELOPE_SUBPROTOCOL] : [],
      backoff: resolved.backoff,
      openSocket: resolved.openSocket,
      clock,
      random: resolved.random,
    })
    if (resolved.jsonPing) {
      this.#jsonPing = new JsonPing(
        clock,
        resolved.jsonPing,
        () => this.#socket.isOpen && this.send({ type: 'ping' }),
        () => this.#socket.terminate(),
      )
    }
    this.#attachSocketListeners()
  }

  /** Whether the connection is open and acknowledged by the cloud. */
  get isConnected(): boolean {
    return this.#isAcknowledged && this.#socket.isOpen
  }

  /** Whether the connection is open, acknowledged or not. */
  protected get isOpen(): boolean {
    return this.#socket.isOpen
  }

  /** The link between phone and glasses. */
  get link(): Link {
    return this.#link
  }

  /** Whether the cloud requires any microphone data; off at the start of every connection. */
  get microphoneOn(): boolean {
    return this.microphone.isOn
  }

  /** The data the cloud requires, for instance `['pcm']`. */
  get requiredData(): readonly string[] {
    return this.microphone.requiredData
  }

  /** Position of the user, for location polls; may be changed at any time. */
  get position(): Position | undefined {
    return this.#requests.position
  }

  set position(position: Position | undefined) {
    this.#requests.position = position
  }

  get audioPlayer(): AudioPlayer {
    return this.#requests.audioPlayer
  }

  /** The last 1,000 messages from the cloud, oldest first, optionally of one type. */
  messages(type?: string): readonly Message[] {
    return this.#history.list(type)
  }

  /**
   * Connects with the glasses and the cloud, and reconnects after losses. Resolves with the first acknowledgement.
   * @throws {Error} if the glasses cannot be reached, the cloud rejects the connection, or does not acknowledge it within
   *   `timeoutMs` (20 s by default)
   */
  async connect({ timeoutMs = CONNECT_TIMEOUT_MS }: Deadline = {}): Promise<CloudMessage<'connection_ack'>> {
    if (this.isConnected && this.#ack) return this.#ack
    try {
      await this.#adapter.connect(this.#adapterEvents)
      return await awaitAcknowledgement(this, () => this.#socket.open(), {
        clock: this.options.clock,
        timeoutMs,
      })
    } catch (error) {
      await this.disconnect()
      throw error
    }
  }

  /** Closes the connections with the cloud and the glasses, without reconnecting. */
  async disconnect(): Promise<void> {
    this.#jsonPing?.stop()
    this.options.clock.clearTimeout(this.#timeTimer)
    this.audioPlayer.stopAll()
    await this.#device?.close()
    await this.#socket.close()
    await this.#adapter.disconnect()
    this.#link = NO_LINK
    this.#shown = undefined
  }

  /** Drops the connection without a closing handshake, as a lost network does. Reconnects afterwards. */
  loseConnection(): void {
    this.#socket.terminate()
  }

  /**
   * Sends a message in the dialect of this phone.
   * @throws {Error} if the connection is not open
   */
  send(message: Message): void {
    this.#socket.sendText(encode(message, this.options.dialect))
  }

  /** Sends a binary frame. @throws {Error} if the connection is not open */
  protected sendBinary(frame: Uint8Array): Promise<void> {
    return this.#socket.sendBinary(frame)
  }

  /** Sends a text frame as it is, for instance an invalid one. */
  sendRaw(text: string): void {
    this.#socket.sendText(text)
  }

  /** Turns to the next page of a long text. Returns whether there is one. */
  nextPage(): boolean {
    return this.#showTurned(this.display.nextPage())
  }

  /** Turns to the previous page of a long text. Returns whether there is one. */
  previousPage(): boolean {
    return this.#showTurned(this.display.previousPage())
  }

  /** Reports a position; `correlationId` is that of the `request_single_location` it responds to. */
  reportPosition(lat: number, lng: number, more: { accuracy?: number; correlationId?: string } = {}): void {
    this.send({ type: 'location_update', lat, lng, ...more, timestamp: this.now() })
  }

  /** Waits until the display matches; resolves immediately if it already does. */
  async waitForDisplay(
    match: DisplayMatch,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<Display> {
    return await waitUntil({
      emitter: this,
      event: 'displayChange',
      check: () => (displayMatches(this.display, match) ? this.display : undefined),
      timeoutMs,
      clock: this.options.clock,
      describe: () => `the display to show ${match}; it shows: ${JSON.stringify(this.display.text)}`,
    })
  }

  /**
   * Waits for a message of a type, including one that was already received. Messages of a type are consumed in order: a
   * message that was returned or skipped is not returned again (`messages` lists all).
   */
  async waitForMessage<Type extends string>(
    type: Type,
    matches: (message: Message) => boolean = () => true,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<Message & { readonly type: Type }> {
    return await waitUntil({
      emitter: this,
      event: 'message',
      check: () => this.#history.next(type, matches) as (Message & { readonly type: Type }) | undefined,
      timeoutMs,
      clock: this.options.clock,
      describe: () => `${type}; the last messages were: ${this.#describeLastTypes()}`,
    })
  }

  /** Waits until the microphone is on or off, or sends the data; resolves immediately if it already does. */
  async waitForMicrophone(
    state: boolean | MicrophoneData,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<void> {
    const isReached = () =>
      typeof state === 'boolean' ? this.microphoneOn === state : this.microphone.sends(state)
    await waitUntil({
      emitter: this,
      event: 'microphone',
      check: () => (isReached() ? true : undefined),
      timeoutMs,
      clock: this.options.clock,
      describe: () => {
        const expected = typeof state === 'string' ? `send ${state}` : `be ${state ? 'on' : 'off'}`
        return `the microphone to ${expected}; required data: ${this.requiredData.join(', ') || 'none'}`
      },
    })
  }

  /** Shows the visible page on the glasses, and says that it changed. */
  protected showDisplay(): void {
    this.#show()
    this.emit('displayChange', this.display)
  }

  /** Shows the visible page on the glasses, if it is another one than they show. */
  #show(): void {
    this.#showLater()
    const { page } = this.display
    if (!isSamePage(page, this.#shown ?? BLANK)) this.#give(page)
  }

  #give(page: Page): void {
    this.#shown = page
    this.emit('page', page)
    // Glasses that are out of reach get the present page when they are back.
    void this.#adapter.show(page)
  }

  /** Epoch ms. */
  protected now(): number {
    return this.options.clock.now()
  }

  #showTurned(hasTurned: boolean): boolean {
    if (hasTurned) this.showDisplay()
    return hasTurned
  }

  /** Shows the page again when the minute ends, if it contains the time. */
  #showLater(): void {
    const { clock } = this.options
    clock.clearTimeout(this.#timeTimer)
    if (!this.display.showsTime || !this.isConnected) return
    this.#timeTimer = clock.setTimeout(() => this.showDisplay(), MINUTE_MS - (clock.now() % MINUTE_MS))
  }

  readonly #adapterEvents: AdapterEvents = {
    link: (link) => this.#changeLink(link),
    battery: (level, charging) => {
      this.#battery = { level, charging }
      this.emit('battery', this.#battery)
      this.#reportBattery()
      this.#show()
    },
    gesture: (gesture) => {
      this.#sendIfOpen({
        type: 'touch_event',
        device_model: this.#adapter.model,
        gesture_name: gesture.name,
        timestamp: this.now(),
      })
      this.emit('gesture', gesture)
      this.#showTurned(this.display.turnBy(gesture))
    },
    head: (position) => {
      this.display.headUp = position === 'up'
      this.#sendIfOpen({ type: 'head_position', position, timestamp: this.now() })
      this.showDisplay()
    },
    worn: (isWorn) => this.emit('worn', isWorn),
    audio: (frames) => {
      this.microphone.sendFrames(frames).catch((error) => this.#emitError(error))
    },
    problem: (error) => this.#emitError(error),
  }

  #changeLink(link: Link): void {
    const wasLinked = this.#isLinked
    this.#link = link
    this.emit('link', link)
    // A device that comes back shows an older page, nothing, or something of its own.
    if (this.#isLinked && !wasLinked) {
      if (this.#shown) this.#give(this.display.page)
      else this.#show()
    }
    if (!this.isConnected) return
    if (this.#isLinked) this.#reportGlasses('CONNECTED')
    else if (wasLinked) this.#reportGlasses('DISCONNECTED')
  }

  /** Whether there are glasses, if only in part. */
  get #isLinked(): boolean {
    return this.#link.state === 'connected' || this.#link.state === 'impaired'
  }

  #attachSocketListeners(): void {
    this.#socket.on('open', () => this.#jsonPing?.start())
    this.#socket.on('sent', (content) => this.emit('frame', { direction: 'sent', content }))
    this.#socket.on('frame', (text) => {
      this.emit('frame', { direction: 'received', content: text })
      this.#receive(text)
    })
    this.#socket.on('retry', (retry) => this.emit('reconnecting', retry))
    this.#socket.on('error', (error) => this.#emitError(error))
    this.#socket.on('close', (info) => {
      this.#isAcknowledged = false
      this.#jsonPing?.stop()
      this.#requests.reset()
      this.microphone.reset()
      this.#showNotice(undefined)
      this.emit('close', info)
    })
  }

  #receive(text: string): void {
    // Frames received while the connection closes cannot be answered.
    if (!this.#socket.isOpen) return
    const decoded = decode(text, this.options.dialect)
    if (!decoded.ok) {
      this.#emitError(new Error(`The cloud sent an invalid frame: ${decoded.reason}`))
      return
    }
    const { message } = decoded
    this.#history.add(message)
    this.#handle(message)
    this.emit('message', message)
  }

  /** Handles a message as a phone does. The casts trust the cloud to follow the contract, as phones do. */
  #handle(message: Message): void {
    switch (message.type) {
      case 'connection_ack':
        this.#acknowledge(message as CloudMessage<'connection_ack'>)
        break
      case 'display_event':
        this.emit('displayEvent', message as CloudMessage<'display_event'>)
        if (this.display.apply(message) && message.view === this.display.view) this.showDisplay()
        break
      case 'microphone_state_change':
        this.microphone.handle(message)
        if (!this.microphone.sends('transcription')) this.#showNotice(undefined)
        break
      case 'transcription_status':
        this.emit('transcriptionStatus', message as CloudMessage<'transcription_status'>)
        if (message.reason === 'phone_not_transcribing') this.#showNotice(NOT_TRANSCRIBING)
        else if (message.status === 'available') this.#showNotice(undefined)
        break
      case 'app_state_change':
        this.emit('appStateChange', message as CloudMessage<'app_state_change'>)
        break
      case 'app_started':
        this.emit('appStarted', message as CloudMessage<'app_started'>)
        break
      case 'app_stopped':
        this.emit('appStopped', message as CloudMessage<'app_stopped'>)
        break
      case 'ping':
        this.send({ type: 'pong' })
        break
      case 'pong':
        this.#jsonPing?.receivePong()
        break
      default:
        this.#serve(message)
    }
  }

  /** Serves a request by the device, or by the phone. */
  #serve(message: Message): void {
    this.#requests.handle(message)
    if (this.#device) return this.#device.handle(message)
    const refusal = refuseRequest(message, this.now())
    if (refusal) this.send(refusal)
  }

  #showNotice(notice: string | undefined): void {
    if (this.display.notice === notice) return
    this.display.notice = notice
    this.showDisplay()
  }

  /** The microphone of the device is on while the cloud requires its audio. */
  #switchMicrophone(): void {
    const isOn = this.microphone.sends('pcm')
    if (isOn === this.#isMicrophoneOn) return
    this.#isMicrophoneOn = isOn
    this.#adapter.setMicrophone(isOn)
  }

  #acknowledge(ack: CloudMessage<'connection_ack'>): void {
    if (!this.#isAcknowledged) {
      this.#isAcknowledged = true
      this.#socket.resetBackoff()
      this.#reported = ''
      if (this.#isLinked) this.#reportGlasses(this.#ack ? 'RECONNECTED' : 'CONNECTED')
      if (this.#battery) this.#reportBattery()
      this.microphone.uplink.sendConfiguration().catch((error) => this.#emitError(error))
    }
    this.#ack = ack
    this.emit('ack', ack)
  }

  #reportGlasses(status: 'CONNECTED' | 'RECONNECTED' | 'DISCONNECTED'): void {
    const { model, wifi } = this.#adapter
    const report = JSON.stringify([this.#isLinked, model, wifi])
    if (report === this.#reported) return
    this.#reported = report
    this.send({
      type: 'glasses_connection_state',
      modelName: model,
      status,
      ...(wifi && { wifi }),
      timestamp: new Date(this.now()).toISOString(),
    })
  }

  #reportBattery(): void {
    this.#sendIfOpen({ type: 'glasses_battery_update', ...this.#battery, timestamp: this.now() })
  }

  #sendIfOpen(message: Message): void {
    if (this.#socket.isOpen) this.send(message)
  }

  /** Emits `error` only if there is a listener: without one an emitter throws. */
  #emitError(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
  }

  #describeLastTypes(): string {
    const types = this.#history.list().map((message) => message.type)
    return types.slice(-10).join(', ') || 'none'
  }
}
