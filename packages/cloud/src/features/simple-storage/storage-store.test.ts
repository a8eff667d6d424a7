import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SIMPLE_STORAGE_LIMITS } from '@glasses-cloud/contract'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { SeededRandom } from '../../session/simulation/fixtures.ts'
import { AppStore } from '../catalogue/index.ts'
import { StorageFullError, StorageStore } from './storage-store.ts'

/** Seed of the random operations; to set it: `SIM_SEED=123 npm test -- storage-store`. */
const seed = Number(process.env.SIM_SEED ?? 1)
const ROUNDS = 60
/** Concurrent operations per document; the model tries every order of them. */
const MAX_CONCURRENT = 4
const keys = ['plain', 'a.b/c', '__proto__', 'constructor', 'ключ 🗝', 'nul\0', '\ud800', ' '] as const

/** The expected texts of a document by key. */
type Model = ReadonlyMap<string, string>

/** An operation of an app, and its effect on the model: the expected outcome and the next model. */
interface Operation {
  readonly name: string
  run(): Promise<unknown>
  on(model: Model): readonly [outcome: unknown, model: Model]
}

function bytesOf(model: Model): number {
  let bytes = 0
  for (const [key, value] of model) bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  return bytes
}

/** The document of one app for one user, with random operations on it. */
class TestDocument {
  readonly #store: StorageStore
  readonly #random: SeededRandom
  readonly #ids: readonly [userId: string, appId: string]
  #serial = 0
  /** State before the pending operations; if it is empty, the document may be empty or missing. */
  model: Model = new Map()

  constructor(store: StorageStore, random: SeededRandom, ids: readonly [userId: string, appId: string]) {
    this.#store = store
    this.#random = random
    this.#ids = ids
  }

  async all(): Promise<Model> {
    return new Map(Object.entries((await this.#store.all(...this.#ids)) ?? {}))
  }

  operation(): Operation {
    const kind = this.#random.next()
    if (kind < 0.6) return this.#merge()
    if (kind < 0.75) return this.#remove()
    if (kind < 0.8) return this.#clear()
    return kind < 0.9 ? this.#get() : this.#readAll()
  }

  #merge(): Operation {
    const random = this.#random
    // Half of the texts are large, so that merges reach the limit.
    const length = random.chance(0.5) ? SIMPLE_STORAGE_LIMITS.value : random.below(100)
    const texts = Array.from({ length: 1 + random.below(3) }, (): [string, string] => [
      random.pick([...keys, `key ${random.below(10)}`]),
      `${this.#serial++}`.padEnd(length, 'é'.repeat(1 + random.below(2))).slice(0, length),
    ])
    const distinct = new Map(texts)
    return {
      name: `merge ${[...distinct.keys()].join(', ')} (${length})`,
      run: () =>
        this.#store.merge(...this.#ids, Object.fromEntries(distinct), 1).then(
          () => 'stored',
          (error) => {
            if (error instanceof StorageFullError) return 'full'
            throw error
          },
        ),
      on: (model) => {
        const merged = new Map([...model, ...distinct])
        return bytesOf(merged) > SIMPLE_STORAGE_LIMITS.bytes ? ['full', model] : ['stored', merged]
      },
    }
  }

  #remove(): Operation {
    const key = this.#random.pick(keys)
    return {
      name: `remove ${key}`,
      run: () => this.#store.remove(...this.#ids, key),
      on: (model) => [model.has(key), new Map([...model].filter(([other]) => other !== key))],
    }
  }

  #clear(): Operation {
    return {
      name: 'clear',
      // An empty document and a missing one are indistinguishable to callers.
      run: () => this.#store.clear(...this.#ids).then(() => undefined),
      on: () => [undefined, new Map()],
    }
  }

  #get(): Operation {
    const key = this.#random.pick(keys)
    return {
      name: `get ${key}`,
      run: () => this.#store.get(...this.#ids, key),
      on: (model) => [model.get(key), model],
    }
  }

  #readAll(): Operation {
    return { name: 'read all', run: () => this.all(), on: (model) => [model, model] }
  }
}

function* ordersOf<Value>(values: readonly Value[]): Iterable<readonly Value[]> {
  if (values.length === 0) yield []
  for (const [at, first] of values.entries())
    for (const rest of ordersOf(values.filter((_, other) => other !== at))) yield [first, ...rest]
}

function isSame(one: unknown, other: unknown): boolean {
  if (!(one instanceof Map && other instanceof Map)) return one === other
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value)
}

/** Whether some sequence of the operations yields these outcomes and this final state. */
function explains(
  operations: readonly (readonly [Operation, unknown])[],
  before: Model,
  after: Model,
): boolean {
  for (const order of ordersOf(operations)) {
    let model = before
    const fits = order.every(([operation, outcome]) => {
      const [expected, next] = operation.on(model)
      model = next
      return isSame(expected, outcome)
    })
    if (fits && isSame(model, after)) return true
  }
  return false
}

async function schedule(db: Database, seed: number): Promise<void> {
  const random = new SeededRandom(seed)
  const store = new StorageStore(db)
  const user = await new UserStore(db).findOrCreate('ada@example.com', 1)
  const documents: TestDocument[] = []
  for (const packageName of ['dev.example.one', 'dev.example.two']) {
    const app = { packageName, name: packageName, publicUrl: 'https://app.example.org' }
    const { id } = await new AppStore(db).register(app, 1)
    documents.push(new TestDocument(store, random, [user.id, id]))
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const work = documents.map((document) => {
      const operations = Array.from({ length: 1 + random.below(MAX_CONCURRENT) }, () => document.operation())
      return { document, operations, outcomes: Promise.all(operations.map((operation) => operation.run())) }
    })
    for (const { document, operations, outcomes } of work) {
      const done = (await outcomes).map((outcome, at) => [operations[at], outcome] as [Operation, unknown])
      const after = await document.all()
      const steps = done.map(
        ([{ name }, outcome]) => `${name} -> ${outcome instanceof Map ? outcome.size : outcome}`,
      )
      assert.ok(
        explains(done, document.model, after),
        `round ${round}: no order explains ${steps.join('; ').slice(0, 500)}`,
      )
      assert.ok(bytesOf(after) <= SIMPLE_STORAGE_LIMITS.bytes, `round ${round}: within the limit`)
      document.model = after
    }
  }
}

eachDatabase(({ open }) => {
  test('STG-4 STG-6 STG-7: concurrent operations have the same effect as in some sequence', async (t) => {
    await schedule(await open(t), seed).catch((cause: Error) => {
      throw new Error(`seed ${seed}: ${cause.message}`, { cause })
    })
  })
})
