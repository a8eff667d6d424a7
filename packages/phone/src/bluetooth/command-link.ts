import { type Clock, delay, type Timer } from '../clock.ts'
import { type BackoffPolicy, backoffDelay } from '../socket/reconnecting-socket.ts'
import { type Command, commandLabel, type Step } from './command.ts'
import { type CommandLog, CommandQueue, type LogEntry, type Outcome, type Task } from './command-queue.ts'
import type { Peripheral } from './peripheral.ts'

/** Time for the system to connect and for the device to start; a browser waits without limit for a device out of range. */
const CONNECT_LIMIT_MS = 20_000
const BACKOFF: BackoffPolicy = { firstMs: 1000, maxMs: 30_000, factor: 2, jitter: 0.5 }

/** What an adapter does with a link. */
interface LinkEvents {
  /** The state of the link changed. */
  changed(): void
  /** The device is connected, started, and takes commands. */
  ready(): void
  /** A notification, of any bytes. */
  notification(bytes: Uint8Array): void
  problem(error: Error): void
}

/** What an adapter gives to each of its links. */
export interface LinkDeps {
  readonly peripheral: Peripheral
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly log: CommandLog
  readonly events: LinkEvents
}

/** What became of a command. */
type StepOutcome = 'done' | 'refused' | 'unanswered' | 'replaced'

interface LinkOptions<Slot extends string> extends LinkDeps {
  /** Name of the peripheral in the log, for devices that have several. */
  readonly part?: string
  /** Begins sentences about the device: `The left arm`. */
  readonly subject: string
  /** The slots of tasks, the most urgent first. */
  readonly slots: readonly Slot[]
  /** Performs the commands that come first after connecting. Returns whether the device can be used. */
  readonly start: (perform: (step: Step) => Promise<StepOutcome>) => Promise<boolean>
  /** Commands that are sent at an interval, so that a device that has stopped is noticed. */
  readonly heartbeat: {
    readonly slot: Slot
    readonly intervalMs: number
    readonly steps: () => readonly Step[]
  }
  /** What the log contains of a notification; undefined for those that are not logged. */
  readonly describe: (notification: Uint8Array) => Pick<LogEntry, 'code' | 'result'> | undefined
}

/**
 * The link to one peripheral, which it repairs by itself, and its commands, which it sends one at a time and repeats. After a
 * command that stays without an answer it ends the link and connects again.
 */
export class CommandLink<Slot extends string> {
  readonly #options: LinkOptions<Slot>
  readonly #queue: CommandQueue<Slot>
  #state: 'connecting' | 'connected' | 'lost' = 'lost'
  /** Counts the links, so that what belongs to an earlier one is recognized. */
  #link = 0
  #isStopped = true
  #isWorking = false
  #attempts = 0
  #heartbeatTimer: Timer
  #retryTimer: Timer
  #answered: ((bytes: Uint8Array | undefined) => void) | undefined

  constructor(options: LinkOptions<Slot>) {
    this.#options = options
    this.#queue = new CommandQueue(options.slots)
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
  send(task: Omit<Task<Slot>, 'settle'>): Promise<Outcome> {
    if (this.#state !== 'connected') return Promise.resolve('lost')
    return new Promise((settle) => {
      this.#queue.add({ ...task, settle })
      void this.#work()
    })
  }

  /** Drops the waiting task of a slot, and the rest of the one in transmission. */
  cancel(slot: Slot): void {
    this.#queue.cancel(slot)
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
      const isStarted = await this.#options.start((step) => this.#perform(step, link))
      if (link !== this.#link) return false
      if (!isStarted) throw new Error(`${this.#options.subject} does not answer.`)
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
    events.ready()
    return true
  }

  #beat(): void {
    const { slot, intervalMs, steps } = this.#options.heartbeat
    void this.send({ slot, steps, isAbandonable: false })
    this.#heartbeatTimer = this.#options.clock.setTimeout(() => this.#beat(), intervalMs)
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
    this.#options.events.changed()
  }

  #receive(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const description = this.#options.describe(bytes)
    if (description) this.#log({ event: 'received', length: bytes.length, ...description })
    this.#answered?.(bytes)
    this.#options.events.notification(bytes)
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    for (let task = this.#queue.next(); task; task = this.#queue.next())
      this.#queue.finish(await this.#run(task))
    this.#isWorking = false
  }

  async #run(task: Task<Slot>): Promise<Outcome> {
    const link = this.#link
    const { subject, events, clock } = this.#options
    for (const each of task.steps()) {
      if (this.#queue.isCanceled) return 'replaced'
      const outcome = await this.#perform(each, link)
      if (link !== this.#link) return 'lost'
      if (outcome === 'replaced') return outcome
      if (outcome === 'unanswered') {
        if (!each.command.mustBeAnswered) return 'refused'
        events.problem(new Error(`${subject} does not answer; connecting again.`))
        this.#lose(link)
        return 'lost'
      }
      if (outcome === 'refused') {
        events.problem(new Error(`${subject} refused command ${commandLabel(each)}.`))
        return outcome
      }
      if (each.command.pauseMs !== undefined) await delay(clock, each.command.pauseMs)
    }
    return 'done'
  }

  /** Sends a command until it is done, as often as its entry allows. */
  async #perform(step: Step, link: number): Promise<StepOutcome> {
    const { command, bytes } = step
    let outcome: 'done' | 'refused' | 'unanswered' = 'unanswered'
    for (let attempt = 0; attempt <= command.repeats; attempt++) {
      if (attempt > 0) await delay(this.#options.clock, command.repeatAfterMs ?? 0)
      if (link !== this.#link) return 'unanswered'
      if (attempt > 0 && this.#queue.isCanceled) return 'replaced'
      outcome = await this.#attempt(command, bytes)
      this.#log({ event: 'sent', code: commandLabel(step), length: bytes.length, result: outcome })
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

  #log(entry: Omit<LogEntry, 'at' | 'part'>): void {
    this.#options.log.add({ at: this.#options.clock.now(), part: this.#options.part, ...entry })
  }
}
