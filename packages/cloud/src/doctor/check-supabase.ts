import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { IssuerUnavailable, SupabaseClient } from '../identity/index.ts'
import { failure, note, ok, reasonOf } from './finding.ts'

const PART = 'supabase'

/** Checks that the Supabase project of `SUPABASE_URL` responds, accepts the key, and confirms addresses. */
export async function checkSupabase({ auth: { supabase } }: Config): Promise<Finding[]> {
  if (supabase === undefined) return []
  const client = new SupabaseClient(supabase)
  try {
    const [settings, keys] = [await client.get('/settings'), await client.get('/.well-known/jwks.json')]
    if (settings.status !== 200)
      return [
        failure(
          PART,
          `${client.issuer} answers ${settings.status}; correct SUPABASE_ANON_KEY or SUPABASE_URL`,
        ),
      ]
    const findings = [ok(PART, `${client.issuer} responds and accepts the key`)]
    if ((settings.body as { mailer_autoconfirm?: unknown } | null)?.mailer_autoconfirm !== false)
      findings.push(
        failure(
          PART,
          'the project does not confirm addresses, so that anybody can sign in here with the address of another; turn on "Confirm email" there',
        ),
      )
    const published = (keys.body as { keys?: unknown } | null)?.keys
    if (!Array.isArray(published) || published.length === 0)
      findings.push(
        note(
          PART,
          'the project publishes no keys and signs with a shared secret; forged tokens are recognized only by asking it, unless SUPABASE_JWT_SECRET is set',
        ),
      )
    return findings
  } catch (error) {
    if (!(error instanceof IssuerUnavailable)) throw error
    return [failure(PART, `${client.issuer} cannot be used (${reasonOf(error.cause)}); correct SUPABASE_URL`)]
  }
}
