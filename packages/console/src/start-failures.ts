/** Why an app did not start, and what to do, by the stage at which the start failed. */
export const startFailures: Readonly<Record<string, { readonly reason: string; readonly advice: string }>> = {
  HARDWARE_CHECK: {
    reason: 'The glasses lack a part that the app needs.',
    advice: 'Connect glasses that have it, or choose another app.',
  },
  WEBHOOK: {
    reason: 'The server of the app did not accept the start.',
    advice: 'Try again in a minute. If it happens again, tell the developer of the app.',
  },
  CONNECTION: {
    reason: 'The server of the app answered, but did not connect to the cloud in time.',
    advice: 'Try again. The developer can check that the server reaches this cloud.',
  },
  AUTHENTICATION: {
    reason: 'The server of the app presented an invalid API key.',
    advice: 'The developer must give the server a valid key of the app.',
  },
  TIMEOUT: {
    reason: 'The server of the app did not answer in time.',
    advice: 'The server may be down or slow. Try again in a minute.',
  },
  STOPPED: { reason: 'The app was stopped while it started.', advice: 'Start it again.' },
  STORE: { reason: 'The cloud could not read the app from its database.', advice: 'Try again in a minute.' },
}
