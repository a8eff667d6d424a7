import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { LiveInput, StreamingResult } from '../../session/index.ts'
import type { StreamingProvider } from './provider.ts'

/** A provider under test, and how to let its time pass. */
export interface ProviderUnderTest {
  readonly provider: StreamingProvider
  /** Resolves when the provider has had the time to make inputs ready and to connect outputs. */
  settle(inputId: string): Promise<void>
  /** An address that takes streams, and one that does not. */
  readonly targets: { readonly good: string; readonly bad: string }
}

/**
 * What every streaming provider does.
 * @param open gives a provider that lasts as long as the test
 */
export function streamingProviderSuite(
  name: string,
  open: (t: TestContext) => Promise<ProviderUnderTest>,
): void {
  describe(name, () => {
    test('STR-70: every input is separate, with its own HLS and DASH URLs', async (t) => {
      const { provider } = await open(t)
      const one = value(await provider.createInput({ userId: 'user' }))
      const other = value(await provider.createInput({ userId: 'user' }))
      assert.notEqual(one.inputId, other.inputId)
      assert.notEqual(one.ingestUrl, other.ingestUrl)
      assert.match(one.ingestUrl, /^(rtmps?|srt|https):\/\/.+/)
      for (const url of [one.playback.hlsUrl, one.playback.dashUrl]) assert.match(url, /^https?:\/\/.+/)
      await remove(provider, one, other)
    })

    test('STR-71: an input before and while a stream is received', async (t) => {
      const { provider, settle } = await open(t)
      const input = value(await provider.createInput({ userId: 'user' }))
      assert.equal(value(await provider.isReady(input.inputId)), false)
      await settle(input.inputId)
      assert.equal(value(await provider.isReady(input.inputId)), true)
      await remove(provider, input)
    })

    test('STR-72: an output that works and one that does not', async (t) => {
      const { provider, settle, targets } = await open(t)
      const input = value(await provider.createInput({ userId: 'user' }))
      assert.deepEqual(value(await provider.listOutputs(input.inputId)), [])
      const good = value(await provider.addOutput(input.inputId, targets.good))
      const bad = value(await provider.addOutput(input.inputId, targets.bad))
      assert.notEqual(good, bad)
      const first = value(await provider.listOutputs(input.inputId))
      assert.deepEqual(first.map(({ outputId }) => outputId).sort(), [good, bad].sort())
      assert.ok(first.every(({ status, error }) => status === 'connecting' && error === null))
      await settle(input.inputId)
      const later = new Map(
        value(await provider.listOutputs(input.inputId)).map((report) => [report.outputId, report]),
      )
      assert.equal(later.get(good)?.status, 'active')
      assert.equal(later.get(good)?.error, null)
      assert.equal(later.get(bad)?.status, 'error')
      assert.ok(later.get(bad)?.error)
      await remove(provider, input)
    })

    test('STR-73: a removed output does not exist, and removing it again is not an error', async (t) => {
      const { provider, targets } = await open(t)
      const input = value(await provider.createInput({ userId: 'user' }))
      const outputId = value(await provider.addOutput(input.inputId, targets.good))
      for (let time = 0; time < 2; time += 1)
        assert.equal((await provider.removeOutput(input.inputId, outputId)).ok, true)
      assert.deepEqual(value(await provider.listOutputs(input.inputId)), [])
      await remove(provider, input)
    })

    test('STR-74: an input with an output, deleted twice', async (t) => {
      const { provider, targets } = await open(t)
      const input = value(await provider.createInput({ userId: 'user' }))
      await provider.addOutput(input.inputId, targets.good)
      for (let time = 0; time < 2; time += 1)
        assert.equal((await provider.deleteInput(input.inputId)).ok, true)
      for (const result of [
        await provider.isReady(input.inputId),
        await provider.addOutput(input.inputId, targets.good),
        await provider.listOutputs(input.inputId),
      ]) {
        assert.equal(result.ok, false)
        assert.ok(!result.ok && result.message.length > 0)
      }
    })
  })
}

async function remove(provider: StreamingProvider, ...inputs: readonly LiveInput[]): Promise<void> {
  for (const { inputId } of inputs) await provider.deleteInput(inputId)
}

function value<Value>(result: StreamingResult<Value>): Value {
  assert.ok(result.ok, result.ok ? '' : result.message)
  return result.value
}
