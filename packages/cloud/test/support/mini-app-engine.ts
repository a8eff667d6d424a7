import { MiniAppHost } from '@glasses-cloud/phone/test/mini-app-host'
import { strFromU8, unzipSync } from 'fflate'
import { BareEngine } from './bare-engine.ts'
import type { Scope } from './scope.ts'
import { waitFor } from './wait-for.ts'

/** Functions of the language that engines of 2020 lack. */
const RECENT = [
  'Array.prototype.at',
  'Array.prototype.findLast',
  'Array.prototype.findLastIndex',
  'Array.prototype.toReversed',
  'Array.prototype.toSorted',
  'Array.prototype.with',
  'Object.groupBy',
  'Object.hasOwn',
  'Promise.any',
  'Promise.try',
  'Promise.withResolvers',
  'Set.prototype.union',
  'String.prototype.at',
  'String.prototype.isWellFormed',
  'String.prototype.replaceAll',
  'String.prototype.toWellFormed',
  'Intl',
  'Iterator',
  'AggregateError',
  'FinalizationRegistry',
  'WeakRef',
]

/** A mini app that a cloud serves, in an engine of 2020 with the functions of its host alone. */
export class MiniAppEngine {
  readonly host: MiniAppHost
  readonly #engine: BareEngine

  private constructor(scope: Scope, script: string, storage: Map<string, string>) {
    this.host = new MiniAppHost((text) => void this.#call('__mentraDeliverBridgeRaw', text))
    const dispatch = (receiver: string, method: string, args: string) => {
      if (receiver !== '__bridge' || method !== 'send') throw new Error(`unknown call ${receiver}.${method}`)
      const [text] = JSON.parse(args)
      // Answers arrive later, as from the other side of a bridge.
      setImmediate(() => this.host.take(text))
      return null
    }
    this.#engine = new BareEngine(scope, storage, { __dispatch: dispatch })
    for (const name of RECENT) this.#engine.run(`delete ${name}`)
    this.#engine.run(script)
    this.#call('__mentraInitCallback', 'session1')
    scope.after(() => this.host.send({ type: 'miniapp_will_disconnect', reason: 'end of the test' }))
  }

  /** Installs the mini app of a cloud, as the code of its page leads to it. */
  static async install(scope: Scope, cloudUrl: string, storage = new Map<string, string>()) {
    const response = await fetch(`${cloudUrl}/glasses/bridge/bundle.zip`)
    if (!response.ok) throw new Error(`The cloud serves no mini app (status ${response.status})`)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const { entry } = JSON.parse(strFromU8(files['miniapp.json'] ?? new Uint8Array()))
    return new MiniAppEngine(scope, strFromU8(files[entry.background] ?? new Uint8Array()), storage)
  }

  /** Waits for a text on the lens. @returns it */
  async waitForLens(pattern: RegExp): Promise<string> {
    const text = () => this.host.lens?.join('\n') ?? ''
    return waitFor(`${pattern} on the lens`, () => pattern.test(text()) && text()).catch((cause) => {
      throw new Error(`the lens shows ${JSON.stringify(text())}`, { cause })
    })
  }

  #call(name: string, text: string): void {
    this.#engine.run(`${name}(${JSON.stringify(text)})`)
  }
}
