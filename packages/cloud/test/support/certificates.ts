import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate } from '../../src/tls/issue-certificate.ts'
import type { KeyPair } from '../../src/tls/key-pair.ts'
import { trustRoots } from '../../src/tls/open-tls.ts'
import type { Scope } from './scope.ts'

/**
 * A certificate for `localhost` that no authority signed, and its key. For tests only. Created with `openssl req -x509
 * -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost -addext
 * subjectAltName=DNS:localhost`.
 */
export const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUQqkWvXkP5ZqpUv7xHNQufPT6ou8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE0MzQ0N1oYDzIxMjYxMDI5
MTQzNDQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATY6CDEhL5gnOqkf2y4p7MwWrqCMWmvLl7c8CXyM9svldlyvbc0uR7K
EriUTLmAyU7PZYxPgbAaO7LL+1+BDKiOo2kwZzAdBgNVHQ4EFgQU7teTYUU+vCIW
7BrHSGI1i/bZcuYwHwYDVR0jBBgwFoAU7teTYUU+vCIW7BrHSGI1i/bZcuYwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgWUI8cwWet+ObNdaF9MPareQRRrNdmLQMiHb+8ov4vCsCIEaVe1P9BSJl
E4Bc7PRE3lP6cbXZlWzGHLEEYjswhL4e
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpT+IRqkTQllLTG3w
LXaXo2rg0DbfILtAtquhEEeYysihRANCAATY6CDEhL5gnOqkf2y4p7MwWrqCMWmv
Ll7c8CXyM9svldlyvbc0uR7KEriUTLmAyU7PZYxPgbAaO7LL+1+BDKiO
-----END PRIVATE KEY-----`,
} as const

const DAY_MS = 24 * 60 * 60_000

let authority: Promise<KeyPair> | undefined

/** Returns the authority of the tests, which this process trusts. */
export function testAuthority(): Promise<KeyPair> {
  authority ??= issueCertificate({
    commonName: 'Authority of the tests',
    names: [],
    notBefore: Date.now() - DAY_MS,
    notAfter: Date.now() + DAY_MS,
    permitted: ['localhost', 'example.org', '127.0.0.0/8'],
  }).then((issued) => {
    trustRoots([issued.certificate])
    return issued
  })
  return authority
}

/** What a test certificate is to be; by default it is for `localhost` and valid. */
export interface TestCertificate {
  readonly names?: readonly string[]
  readonly notBefore?: number
  readonly notAfter?: number
}

/** Issues a certificate of the authority of the tests. */
export async function testCertificate(options: TestCertificate = {}): Promise<KeyPair> {
  const { names = ['localhost', '127.0.0.1'], notBefore, notAfter } = options
  return issueCertificate({
    commonName: names[0] ?? 'test',
    names,
    notBefore: notBefore ?? Date.now() - DAY_MS / 2,
    notAfter: notAfter ?? Date.now() + DAY_MS / 2,
    issuer: await testAuthority(),
  })
}

/** A folder with a certificate and its key behind a link, as certbot and Kubernetes lay them out. */
export interface CertificateFolder {
  readonly env: { readonly TLS: 'files'; readonly TLS_CERT_FILE: string; readonly TLS_KEY_FILE: string }
  /** Replaces both files in one step, by replacing the link to their folder. */
  replace(pair: KeyPair): Promise<void>
}

/** Creates a folder with a certificate; the scope removes it. */
export async function certificateFolder(scope: Scope, pair: KeyPair): Promise<CertificateFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-tls-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const replace = async ({ certificate, key }: KeyPair) => {
    const data = await mkdtemp(join(folder, '..data-'))
    await writeFile(join(data, 'tls.crt'), certificate)
    await writeFile(join(data, 'tls.key'), key, { mode: 0o600 })
    await symlink(data, join(folder, 'next'))
    await rename(join(folder, 'next'), join(folder, 'current'))
  }
  await replace(pair)
  return {
    env: {
      TLS: 'files',
      TLS_CERT_FILE: join(folder, 'current', 'tls.crt'),
      TLS_KEY_FILE: join(folder, 'current', 'tls.key'),
    },
    replace,
  }
}
