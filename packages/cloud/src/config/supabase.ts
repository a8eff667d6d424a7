import type { EnvReader } from './env.ts'

/** A Supabase project whose users may sign in. */
export interface SupabaseProject {
  /** Without a trailing slash; its Auth endpoints are below `/auth/v1`. */
  readonly url: string
  /** The publishable (anon) key, which its gateway requires. */
  readonly anonKey: string
}

const EXAMPLE = 'https://example.supabase.co'

/** Reads `SUPABASE_URL` and the key that it requires. */
export function readSupabase(read: EnvReader): SupabaseProject | undefined {
  const url = read.url('SUPABASE_URL', ['http', 'https'], EXAMPLE)
  if (url === undefined) return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    read.reject('SUPABASE_URL', `must be a URL such as ${EXAMPLE}, without user and query`)
  const anonKey = read.required('SUPABASE_ANON_KEY', 'the publishable (anon) key of the project')
  // The value is not shown: it may be the secret key by mistake.
  if (!/^[!-~]*$/.test(anonKey) || anonKey.startsWith('sb_secret_'))
    read.reject('SUPABASE_ANON_KEY', 'must be the publishable (anon) key, not a secret one')
  return { url: url.href.replace(/\/+$/, ''), anonKey }
}
