import { formatNumber } from '../../format.ts'

/** Texts of the test of the connection. What was found at a hop, and what to do, is said by the cloud. */
export const connectionTexts = {
  title: 'Test connection',
  description:
    'Walks every hop between this cloud and the app server. To test the socket and the key, wear glasses, for example the simulated ones: they stay on while you use other pages.',
  start: 'Test connection',
  again: 'Test again',
  glasses: 'Open the simulated glasses',
  running: 'Testing; this takes up to 20 seconds…',
  works: 'Everything that was tested works',
  fails: (hop: string) => `The connection fails at: ${hop}`,
  hops: {
    name: 'Name',
    address: 'Address',
    tls: 'TLS',
    webhook: 'Webhook',
    signature: 'Signature',
    socket: 'Socket',
    key: 'API key',
  },
  statuses: { passed: 'Works', failed: 'Fails', skipped: 'Not tested', info: 'Works, with a remark' },
  duration: (durationMs: number) => `in ${formatNumber(durationMs)} ms`,
  action: (action: string) => `What to do: ${action}.`,
} as const
