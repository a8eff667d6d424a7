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
  const url = read.apiBase('SUPABASE_URL', '/auth/v1', EXAMPLE)
  if (url === undefined) return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    read.reject('SUPABASE_URL', `must be a URL such as ${EXAMPLE}, without user and query`)
  const anonKey = read.required('SUPABASE_ANON_KEY', 'the publishable (anon) key of the project')
  // The value is not shown: it may be the secret key by mistake.
  if (!/^[!-~]*$/.test(anonKey) || anonKey.startsWith('sb_secret_'))
    read.reject('SUPABASE_ANON_KEY', 'must be the publishable (anon) key, not a secret one')
  return { url: url.href.replace(/\/+$/, ''), anonKey }
}

/** Which claims of an issuer have the e-mail address of a person. */
export interface EmailClaims {
  /** By default `email`. */
  readonly emailClaim?: string
  /** Whether the address is verified; by default `email_verified`. */
  readonly emailVerifiedClaim?: string
  /** Whether the operator vouches for the addresses, whatever the issuer says. */
  readonly trustEmail?: boolean
}

/** An OpenID Connect issuer where users may sign in. */
export interface OidcIssuer extends EmailClaims {
  /** Part of URLs; unique. */
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client, authenticated by PKCE alone. */
  readonly clientSecret: string | undefined
  /** Shown to users. */
  readonly label: string
}

const FORM =
  'a JSON list such as [{"issuer":"https://login.example.org","clientId":"…","clientSecret":"…","label":"Example"}]'

const FIELDS = new Set([
  'id',
  'issuer',
  'clientId',
  'clientSecret',
  'label',
  'trustEmail',
  'emailClaim',
  'emailVerifiedClaim',
])

/** Reads `OIDC_ISSUERS`. */
export function readOidcIssuers(read: EnvReader): readonly OidcIssuer[] {
  const value = read.json('OIDC_ISSUERS')
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    read.reject('OIDC_ISSUERS', `must be ${FORM}`)
    return []
  }
  const issuers: OidcIssuer[] = []
  for (const [index, entry] of value.entries()) {
    const result = readIssuer(entry, issuers)
    if (typeof result === 'string')
      read.reject('OIDC_ISSUERS', `must be ${FORM}: entry ${index + 1} ${result}`)
    else issuers.push(result)
  }
  return issuers
}

/** Returns the issuer, or what is wrong with it. */
function readIssuer(entry: unknown, earlier: readonly OidcIssuer[]): OidcIssuer | string {
  if (typeof entry !== 'object' || entry === null) return 'is not an object'
  const unknown = Object.keys(entry).find((key) => !FIELDS.has(key))
  if (unknown !== undefined) return `has an unknown field ${unknown}`
  const { clientId, clientSecret, label, id, trustEmail, emailClaim, emailVerifiedClaim, ...rest } =
    entry as Readonly<Record<string, unknown>>
  const issuer = typeof rest.issuer === 'string' ? toIssuer(rest.issuer) : ''
  if (!isIssuerUrl(issuer)) return 'needs the issuer, an http or https URL'
  if (!isText(clientId)) return 'needs a clientId'
  if (clientSecret !== undefined && !isText(clientSecret)) return 'has an invalid clientSecret'
  if (label !== undefined && !isText(label)) return 'has an invalid label'
  if (trustEmail !== undefined && typeof trustEmail !== 'boolean') return 'needs true or false as trustEmail'
  if (emailClaim !== undefined && !isText(emailClaim)) return 'has an invalid emailClaim'
  if (emailVerifiedClaim !== undefined && !isText(emailVerifiedClaim))
    return 'has an invalid emailVerifiedClaim'
  const emailClaims = {
    ...(trustEmail !== undefined && { trustEmail }),
    ...(emailClaim !== undefined && { emailClaim }),
    ...(emailVerifiedClaim !== undefined && { emailVerifiedClaim }),
  }
  if (!isVouchedFor(emailClaims))
    return `needs trustEmail or emailVerifiedClaim, because email_verified says nothing about ${emailClaim}`
  const name = id ?? new URL(issuer).hostname.replaceAll('.', '-').toLowerCase()
  if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
    return 'has an invalid id; use lower-case letters, digits and hyphens'
  if (name === 'credential' || earlier.some((other) => other.id === name))
    return `needs an id of its own, not "${name}"`
  const shown = label ?? new URL(issuer).hostname
  return { id: name, issuer, clientId, clientSecret, label: shown, ...emailClaims }
}

/** An issuer whose ID tokens are accepted, and the client id of the cloud there. */
export interface IdTokenIssuer extends EmailClaims {
  readonly issuer: string
  readonly audience: string
}

/** Reads `OIDC_ISSUER` and the settings that belong to it. */
export function readIdTokenIssuer(read: EnvReader): IdTokenIssuer | undefined {
  const issuer = read.url('OIDC_ISSUER', ['http', 'https'], 'https://login.example.org')
  if (issuer === undefined) return undefined
  const audience = read.required('OIDC_AUDIENCE', 'set to the client ID that OIDC_ISSUER uses for this cloud')
  const emailClaim = read.text('OIDC_EMAIL_CLAIM', undefined)
  const emailVerifiedClaim = read.text('OIDC_EMAIL_VERIFIED_CLAIM', undefined)
  const emailClaims = {
    ...(read.flag('OIDC_TRUST_EMAIL', false) && { trustEmail: true }),
    ...(emailClaim !== undefined && { emailClaim }),
    ...(emailVerifiedClaim !== undefined && { emailVerifiedClaim }),
  }
  if (!isVouchedFor(emailClaims))
    read.reject(
      'OIDC_EMAIL_CLAIM',
      'requires OIDC_TRUST_EMAIL or OIDC_EMAIL_VERIFIED_CLAIM, because email_verified says nothing about another claim',
    )
  return { issuer: toIssuer(read.text('OIDC_ISSUER', '')), audience, ...emailClaims }
}

/** Whether anybody says that the address is verified: `email_verified` is about the claim `email` only. */
function isVouchedFor({
  emailClaim = 'email',
  emailVerifiedClaim,
  trustEmail = false,
}: EmailClaims): boolean {
  return emailClaim === 'email' || trustEmail || emailVerifiedClaim !== undefined
}

/** Returns the name of an issuer, also of one that is named by the address of its metadata. */
function toIssuer(text: string): string {
  return text.trim().replace(/\/\.well-known\/openid-configuration$/, '')
}

function isIssuerUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === ''
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
