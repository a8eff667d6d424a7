/** A process that runs the captions app, and ends together with the cloud, however that ends. */
process.on('disconnect', () => process.exit())
await import('captions/src/main.ts')

export {}
