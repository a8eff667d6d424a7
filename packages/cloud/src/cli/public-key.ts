import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { loadAuthSecret } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { SigningKeyStore, SigningKeys } from '../features/web-tokens/index.ts'
import { type Command, print, readArguments } from './command.ts'

/** Prints the key that verifies the signed tokens of web views, in the form that the app SDK reads. */
export const publicKey: Command = {
  name: 'public-key',
  args: '',
  summary: 'Print the public key of web view tokens as PEM, for MENTRAOS_CLOUD_USER_TOKEN_PUBLIC_KEY of apps',
  options: {},
  details: ['The app SDK also requires OAUTH_ISSUER=https://prod.augmentos.cloud; see docs/webviews.md.'],
  async run(input) {
    readArguments(input, [])
    const { auth, data } = input.config()
    const secret = await loadAuthSecret(auth.secret, data.dir)
    const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
    try {
      const { publicJwk } = await new SigningKeys(new SigningKeyStore(db), [secret], Date.now).current()
      const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' })
      print(input, key.export({ type: 'spki', format: 'pem' }).toString().trimEnd())
    } finally {
      await db.destroy()
    }
    return undefined
  },
}
