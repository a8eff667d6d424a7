import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Measurement } from './capacity.ts'
import { ACTIONS, type Cost, type Costs, formatTables, needs, predict, USUAL } from './model.ts'

const cost = (cpuMicros: number, rest = 0): Cost => ({
  cpuMicros,
  transactions: rest,
  rowsWritten: rest,
  redisCommands: rest,
  redisBytes: rest,
})

/** Costs that are easy to add up: a relayed frame takes 20 µs and one command, any other action 10 µs. */
const simple: Costs = {
  actions: Object.fromEntries(
    ACTIONS.map((action) => [action, action === 'audioFrameRelayed' ? cost(20, 1) : cost(10)]),
  ) as Costs['actions'],
  idleNode: cost(1_000, 2),
  idleSession: cost(40),
  sessionBytes: 50_000,
}

const readMeasurement = async (): Promise<Measurement> =>
  JSON.parse(await readFile(new URL('costs.json', import.meta.url), 'utf8'))

describe('the model of capacity', () => {
  test('adds the nodes, the idle sessions and the actions', () => {
    const situation = { nodes: 2, sessions: 100, seconds: 10, load: { audioFrame: 5, audioFrameRelayed: 7 } }
    const used = predict(simple, situation)
    assert.equal(used.cpuMicros, 2 * 10 * 1_000 + 100 * 10 * 40 + 5 * 10 + 7 * 20)
    assert.equal(used.redisCommands, 2 * 10 * 2 + 7)
  })

  test('divides the processor time of wearers by what a node may use, and adds a spare node', () => {
    const silent = { ...USUAL, speaking: 0, eventsPerSecond: 0, readsPerSecond: 0, writesPerSecond: 0 }
    const habits = { ...silent, startsPerSession: 0, sessionSeconds: Number.POSITIVE_INFINITY }
    const needed = needs(simple, 100_000, habits)
    // 100,000 × 40 µs are four seconds a second, and a node does 0.599.
    assert.deepEqual([needed.nodes, needed.sessionGigabytes], [7 + 1, 5])
    const speaking = needs(simple, 1_000, { ...habits, speaking: 1, relayed: 0.5 })
    assert.equal(speaking.audioMegabitsPerSecond, 256)
    assert.equal(Math.round(speaking.redisCommandsPerSecond), 25_000 + 2 * speaking.nodes)
  })

  test('grows in proportion to the wearers', () => {
    const [small, large] = [needs(simple, 100_000), needs(simple, 1_000_000)]
    assert.equal(Math.round(large.sessionGigabytes / small.sessionGigabytes), 10)
    assert.ok(Math.abs(large.nodes / small.nodes - 10) < 1)
  })

  test('predicts the two points that were measured as a whole', async () => {
    const { costs, points } = await readMeasurement()
    assert.equal(points.length, 2)
    for (const { situation, measured } of points) {
      const predicted = predict(costs, situation)
      const ratio = (key: keyof Cost) => predicted[key] / measured[key]
      // Messages of a tick share a command; other load of the machine changes how many, and the processor time most.
      for (const [key, most] of [
        ['redisCommands', 1.5],
        ['redisBytes', 1.2],
        ['cpuMicros', 3],
      ] as const) {
        const isNear = ratio(key) > 1 / most && ratio(key) < most
        assert.ok(isNear, `${key}: ${predicted[key]} instead of ${measured[key]}`)
      }
    }
  })

  test('is printed in docs/capacity.md as it was measured', async () => {
    const page = await readFile(new URL('../../../docs/capacity.md', import.meta.url), 'utf8')
    assert.ok(page.includes(formatTables(await readMeasurement())))
  })
})
