import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { eachDatabase } from '../../db/testing.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { createNodeEventRecorder, type NodeEventRecorderDeps } from './node-event-recorder.ts'
import { NodeEventStore } from './node-event-store.ts'

const log = pino({ level: 'silent' })
const INTERVAL_MS = 5_000

describe('events of nodes', () => {
  eachDatabase(({ open }) => {
    test('ADM-18: starts, stops, other versions and crashes of the only node', async (t) => {
      const db = await open(t)
      const [clock, store] = [new VirtualClock(1_700_000_000_000), new NodeEventStore(db, 6)]
      const run = async (node: string, version: string) => {
        clock.advance(1_000)
        const recorder = createNodeEventRecorder({ store, cluster: undefined, clock, log, node, version })
        recorder.start()
        t.after(() => recorder.stop())
        await recorder.idle()
        return recorder
      }
      const kinds = async () =>
        (await store.listSince(0)).map(({ node, kind }) => `${node} ${kind}`).toReversed()
      const first = await run('a-1', '1.0.0')
      clock.advance(1_000)
      await first.stopped()
      await run('a-2', '1.0.0')
      await run('a-3', '1.1.0')
      const expected = ['a-1 started', 'a-1 stopped', 'a-2 restarted', 'a-2 lost', 'a-3 deployed']
      assert.deepEqual(await kinds(), expected)

      await run('a-4', '1.1.0')
      await store.trim(clock.now())
      assert.deepEqual(await kinds(), [...expected.slice(1), 'a-3 lost', 'a-4 restarted'])
      await store.trim(clock.now() + 31 * 24 * 60 * 60_000)
      assert.deepEqual(await kinds(), [])
    })

    test('ADM-18: an old node that restarts during a rolling update is not a deployment', async (t) => {
      const db = await open(t)
      const [clock, store] = [new VirtualClock(1_700_000_000_000), new NodeEventStore(db)]
      const cluster = { nodes: { list: () => [], isAlive: async () => false } }
      for (const [node, version] of [
        ['a', '1.0.0'],
        ['b', '1.0.0'],
        ['b', '1.1.0'],
        ['a', '1.0.0'],
      ] as const) {
        clock.advance(1_000)
        const recorder = createNodeEventRecorder({ store, cluster, clock, log, node, version })
        recorder.start()
        await recorder.idle()
        clock.advance(1_000)
        await recorder.stopped()
        await recorder.stop()
      }
      const starts = (await store.listSince(0)).filter(({ kind }) => kind !== 'stopped').toReversed()
      assert.deepEqual(
        starts.map(({ node, kind }) => `${node} ${kind}`),
        ['a started', 'b started', 'b deployed', 'a restarted'],
      )
    })

    test('ADM-18: of three nodes one is lost, which is recorded once', async (t) => {
      const db = await open(t)
      const [clock, store] = [new VirtualClock(1_700_000_000_000), new NodeEventStore(db)]
      const live = new Set(['a', 'b', 'c', 'd'])
      /** Nodes whose lease Redis has lost, but not the database. */
      const unlisted = new Set<string>()
      const cluster = {
        nodes: {
          list: () =>
            [...live]
              .filter((name) => !unlisted.has(name))
              .map((name) => ({ name, version: '1.0.0', holder: `id-${name}.1` })),
          isAlive: async (holder: string) => live.has(holder.slice(3, 4)),
        },
      } as unknown as NodeEventRecorderDeps['cluster']
      const recorders = [...live].map((node) =>
        createNodeEventRecorder({ store, cluster, clock, log, node, version: '1.0.0' }),
      )
      for (const recorder of recorders) {
        recorder.start()
        await recorder.idle()
        t.after(() => recorder.stop())
      }
      const pass = async () => {
        clock.advance(INTERVAL_MS)
        for (const recorder of recorders) await recorder.idle()
        await new Promise((resolve) => setImmediate(resolve))
      }
      const lost = async () =>
        (await store.listSince(0)).filter(({ kind }) => kind === 'lost').map(({ node }) => node)
      unlisted.add('a').add('b')
      await pass()
      unlisted.clear()
      await pass()
      assert.deepEqual(await lost(), [])

      recorders[2]?.draining()
      clock.advance(1)
      await recorders[2]?.stopped()
      live.delete('c')
      live.delete('d')
      await pass()
      await pass()
      assert.deepEqual(await lost(), ['d'])
      const kinds = (await store.listSince(0)).map(({ node, kind }) => `${node} ${kind}`)
      assert.deepEqual(kinds.slice(1, 3), ['c stopped', 'c draining'])
    })
  })
})
