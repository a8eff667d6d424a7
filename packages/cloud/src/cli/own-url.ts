import { type Config, loadAuthSecret } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { AuthorityStore, describeCertificate, readKeyPair, trustRoots } from '../tls/index.ts'

/**
 * Returns the address at which a command of this machine reaches the cloud: `PUBLIC_URL`, otherwise the port on this
 * machine, under a name of the certificate. With `TLS=local` this process then trusts its authority.
 */
export async function ownUrl(config: Config): Promise<string> {
  const { http, tls } = config
  if (tls.mode === 'local') await trustAuthority(config)
  if (http.publicUrl) return http.publicUrl.href
  switch (tls.mode) {
    case 'off':
      return `http://127.0.0.1:${http.port}`
    case 'auto':
      return `https://${tls.hosts[0]}:${http.port}`
    case 'local':
      return `https://localhost:${http.port}`
    case 'files': {
      const { names } = describeCertificate((await readKeyPair(tls)).certificate)
      return `https://${tls.hosts[0] ?? names[0] ?? 'localhost'}:${http.port}`
    }
  }
}

async function trustAuthority({ auth, data }: Config): Promise<void> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
  try {
    const authority = await new AuthorityStore(db, [await loadAuthSecret(auth.secret, data.dir)]).find()
    if (authority) trustRoots([authority.certificate])
  } finally {
    await db.destroy()
  }
}
