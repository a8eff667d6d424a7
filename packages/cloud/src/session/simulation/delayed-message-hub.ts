import { AppMessageHub } from '../../features/app-messages/hub.ts'
import type {
  AppMember,
  AppMessage,
  AppMessaging,
  MessagingDone,
  RoomOptions,
} from '../parts/app-messages/port.ts'
import type { Environment } from './environment.ts'

/** The real message hub, with results that are delayed at random, as the port allows. */
export class DelayedMessageHub implements AppMessaging {
  readonly #env: Environment
  readonly #hub: AppMessageHub
  /** Slices of deliveries that are due, which run before the call of the hub returns. */
  readonly #slices: (() => void)[] = []

  constructor(env: Environment) {
    this.#env = env
    this.#hub = new AppMessageHub(env.clock, (run) => this.#slices.push(run))
  }

  isReachable(packageName: string, userId: string): boolean {
    return this.#hub.usersOf(packageName).some((user) => user.userId === userId)
  }

  enter(member: AppMember): void {
    this.#hub.enter(member)
  }

  leave(member: AppMember): void {
    this.#hub.leave(member)
    this.#runSlices()
  }

  broadcast(from: AppMember, message: AppMessage, done: MessagingDone): void {
    this.#hub.broadcast(from, message, this.#delay(done))
    this.#runSlices()
  }

  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void {
    this.#hub.toRoom(from, roomId, message, this.#delay(done))
    this.#runSlices()
  }

  direct(from: AppMember, userId: string, message: AppMessage, done: MessagingDone): void {
    this.#hub.direct(from, userId, message, this.#delay(done))
    this.#runSlices()
  }

  joinRoom(from: AppMember, roomId: string, options: RoomOptions, done: MessagingDone): void {
    this.#hub.joinRoom(from, roomId, options, this.#delay(done))
    this.#runSlices()
  }

  leaveRoom(from: AppMember, roomId: string): void {
    this.#hub.leaveRoom(from, roomId)
    this.#runSlices()
  }

  #runSlices(): void {
    for (let run = this.#slices.shift(); run; run = this.#slices.shift()) run()
  }

  #delay(done: MessagingDone): MessagingDone {
    const { random, clock, isCalm } = this.#env
    if (isCalm || random.chance(0.6)) return done
    return (rejection) => void clock.after(random.below(10_000), () => done(rejection))
  }
}
