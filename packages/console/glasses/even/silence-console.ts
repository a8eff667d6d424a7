/**
 * The maker's SDK writes every event to the console, audio included, which the Even app and tools may keep. The page says
 * on itself what there is to say, so nothing is written at all. Must run before the SDK is loaded.
 */
for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) console[name] = () => {}
