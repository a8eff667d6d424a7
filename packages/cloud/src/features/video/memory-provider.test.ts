import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { MemoryStreamingProvider } from './memory-provider.ts'
import { streamingProviderSuite } from './streaming-provider-suite.ts'

streamingProviderSuite('streaming provider in memory', async () => {
  const clock = new VirtualClock()
  return {
    provider: new MemoryStreamingProvider(clock, 1_000),
    settle: async () => clock.advance(1_000),
    targets: { good: 'rtmp://live.example.com/app/key', bad: 'rtmp://invalid.example.com/app/key' },
  }
})
