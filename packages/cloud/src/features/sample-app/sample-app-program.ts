/** A process that runs the captions app, and ends together with the cloud, however that ends. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

process.on('disconnect', () => process.exit())
// The authority of a cloud with TLS=local, which no other program knows.
const [, , authority] = process.argv
if (authority !== undefined) setDefaultCACertificates([...getCACertificates('default'), authority])
await import('captions/src/main.ts')
