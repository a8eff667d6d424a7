import type { Peripheral } from '../bluetooth/peripheral.ts'
import { type Clock, delay, type Timer } from '../clock.ts'
import { type BackoffPolicy, backoffDelay } from '../socket/backoff.ts'
import type { CommandLog } from './command-log.ts'
import { CommandQueue, type Outcome, type Task } from './command-queue.ts'
import { COMMANDS, type Command, type Step, step } from './commands.ts'

/** Audio packets are counted, not logged. */
const AUDIO = 0xf1
const EVENT = 0xf5

/** Time for the system to connect; a browser waits without limit for a device that is out of range. */
const CONNECT_LIMIT_MS = 20_000
const HEARTBEAT_MS = 8000
const BACKOFF: BackoffPolicy = { firstMs: 1000, maxMs: 30_000, factor: 2, jitter: 0.5 }

/** What the adapter does with an arm. */
export interface ArmEvents {
  /** The state of the link changed. */
  changed(arm: Arm): void
  /** The arm is connected and takes commands. */
  ready(arm: Arm): void
  /** A notification, of any bytes. */
  notification(arm: Arm, bytes: Uint8Array): void
  problem(error: Error): void
}

export interface ArmOptions {
  readonly side: 'left' | 'right'
  readonly peripheral: Peripheral
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly log: CommandLog
  readonly events: ArmEvents
}

/**
 * One arm: its link, which it repairs by itself, and its commands, which it sends one at a time and repeats. After a
 * command that stays without an answer it ends the link and connects again.
 */
export class Arm {
  readonly side: 'left' | 'right'
  readonly #options: ArmOptions
  readonly #queue = new CommandQueue()
  #state: 'connecting' | 'connected' | 'lost' = 'lost'
  /** Counts the links, so that what belongs to an earlier one is recognized. */
  #link = 0
  #isStopped = true
  #isWorking = false
  #attempts = 0
  #heartbeat = 0
  #heartbeatTimer: Timer
  #retryTimer: Timer
  #answered: ((bytes: Uint8Array | undefined) => void) | undefined

  constructor(options: ArmOptions) {
    this.side = options.side
    this.#options = options
  }

  get state(): 'connecting' | 'connected' | 'lost' {
    return this.#state
  }

  /** Connects, and keeps the link from then on. @returns whether the first attempt succeeded */
  start(): Promise<boolean> {
    this.#isStopped = false
    return this.#connect()
  }

  /** Ends the link for good. */
  stop(): void {
    this.#isStopped = true
    this.#options.clock.clearTimeout(this.#retryTimer)
    this.#endLink()
  }

  /** Sends a task after those of earlier slots. */
  send(task: Omit<Task, 'settle'>): Promise<Outcome> {
    if (this.#state !== 'connected') return Promise.resolve('lost')
    return new Promise((settle) => {
      this.#queue.add({ ...task, settle })
      void this.#work()
    })
  }

  /** Drops the page that waits, and the rest of the one in transmission. */
  cancelPage(): void {
    this.#queue.cancel('page')
  }

  async #connect(): Promise<boolean> {
    const { peripheral, clock, events } = this.#options
    const link = ++this.#link
    this.#setState('connecting')
    const limit = clock.setTimeout(() => this.#lose(link), CONNECT_LIMIT_MS)
    try {
      await peripheral.connect({
        notification: (bytes) => link === this.#link && this.#receive(bytes),
        disconnected: () => this.#lose(link),
      })
      if (link !== this.#link) return false
      const outcome = await this.#perform(step(COMMANDS.start, 0x01))
      if (link !== this.#link) return false
      if (outcome !== 'done') throw new Error(`The ${this.side} arm does not answer.`)
    } catch (error) {
      // Only the kind: the words of a browser may name the device.
      this.#log({ event: 'link', result: `failed ${error instanceof Error ? error.name : ''}`.trim() })
      this.#lose(link)
      return false
    } finally {
      clock.clearTimeout(limit)
    }
    this.#attempts = 0
    this.#setState('connected')
    this.#beat()
    events.ready(this)
    return true
  }

  #beat(): void {
    const sequence = this.#heartbeat++ & 0xff
    const steps = () => [step(COMMANDS.heartbeat, 0x06, 0x00, sequence, 0x04, sequence)]
    void this.send({ slot: 'heartbeat', steps, isAbandonable: false })
    this.#heartbeatTimer = this.#options.clock.setTimeout(() => this.#beat(), HEARTBEAT_MS)
  }

  #lose(link: number): void {
    if (link !== this.#link || this.#isStopped) return
    this.#endLink()
    const { clock, random } = this.#options
    const waitMs = backoffDelay(BACKOFF, this.#attempts++, random())
    this.#retryTimer = clock.setTimeout(() => void this.#connect(), waitMs)
  }

  #endLink(): void {
    this.#link += 1
    this.#options.clock.clearTimeout(this.#heartbeatTimer)
    this.#setState('lost')
    this.#queue.clear()
    this.#answered?.(undefined)
    this.#options.peripheral.disconnect()
  }

  #setState(state: 'connecting' | 'connected' | 'lost'): void {
    if (state === this.#state) return
    this.#state = state
    this.#log({ event: 'link', result: state })
    this.#options.events.changed(this)
  }

  #receive(bytes: Uint8Array): void {
    const code = bytes[0]
    if (code === undefined) return
    if (code !== AUDIO) {
      const result = code === EVENT || bytes.length > 1 ? bytes[1]?.toString(16).padStart(2, '0') : undefined
      this.#log({ event: 'received', code, length: bytes.length, ...(result && { result }) })
    }
    this.#answered?.(bytes)
    this.#options.events.notification(this, bytes)
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    for (let task = this.#queue.next(); task; task = this.#queue.next())
      this.#queue.finish(await this.#run(task))
    this.#isWorking = false
  }

  async #run(task: Task): Promise<Outcome> {
    const link = this.#link
    for (const each of task.steps()) {
      if (this.#queue.isCanceled) return 'replaced'
      const outcome = await this.#perform(each)
      if (link !== this.#link) return 'lost'
      if (outcome === 'replaced') return outcome
      if (outcome === 'unanswered') {
        if (!each.command.mustBeAnswered) return 'refused'
        this.#options.events.problem(new Error(`The ${this.side} arm does not answer; connecting again.`))
        this.#lose(link)
        return 'lost'
      }
      if (outcome === 'refused') {
        const code = each.command.code.toString(16).padStart(2, '0')
        this.#options.events.problem(new Error(`The ${this.side} arm refused command ${code}.`))
        return outcome
      }
      if (each.command.pauseMs !== undefined) await delay(this.#options.clock, each.command.pauseMs)
    }
    return 'done'
  }

  /** Sends a command until it is done, as often as its entry allows. */
  async #perform({ command, bytes }: Step): Promise<'done' | 'refused' | 'unanswered' | 'replaced'> {
    const link = this.#link
    let outcome: 'done' | 'refused' | 'unanswered' = 'unanswered'
    for (let attempt = 0; attempt <= command.repeats; attempt++) {
      if (attempt > 0) await delay(this.#options.clock, command.repeatAfterMs ?? 0)
      if (link !== this.#link) return 'unanswered'
      if (attempt > 0 && this.#queue.isCanceled) return 'replaced'
      outcome = await this.#attempt(command, bytes)
      this.#log({ event: 'sent', code: command.code, length: bytes.length, result: outcome })
      if (outcome === 'done') return outcome
    }
    return outcome
  }

  #attempt(command: Command, bytes: Uint8Array): Promise<'done' | 'refused' | 'unanswered'> {
    const { clock, peripheral } = this.#options
    return new Promise((resolve) => {
      let isFinished = false
      const finish = (outcome: 'done' | 'refused' | 'unanswered') => {
        if (isFinished) return
        isFinished = true
        clock.clearTimeout(limit)
        this.#answered = undefined
        resolve(outcome)
      }
      const limit = clock.setTimeout(() => finish('unanswered'), command.limitMs)
      this.#answered = (answer) => {
        if (answer === undefined) return finish('unanswered')
        const outcome = command.judge?.(answer, bytes)
        if (outcome !== undefined) finish(outcome)
      }
      peripheral.write(bytes).then(
        () => command.judge === undefined && finish('done'),
        () => finish('unanswered'),
      )
    })
  }

  #log(entry: Omit<Parameters<CommandLog['add']>[0], 'at' | 'arm'>): void {
    this.#options.log.add({ at: this.#options.clock.now(), arm: this.side, ...entry })
  }
}
